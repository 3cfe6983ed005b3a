// The bindings of rules and positions.
#include "bind.hpp"

namespace komadai {

void bind_position(nb::module_& m) {
    nb::class_<Outcome>(m, "Outcome", "The end of a game, and the winning side: 0 Black, 1 White, -1 nobody.")
        .def_ro("end", &Outcome::end)
        .def_ro("winner", &Outcome::winner);
    nb::class_<PyRules>(m, "Rules", "The native rules of one variant, immutable and shared.")
        .def(nb::init<const RuleTables&, nb::object>(), "tables"_a, "make_move"_a,
             nb::sig("def __init__(self, tables: RuleTables, "
                     "make_move: collections.abc.Callable[[int, int], komadai.spec.move.Move]) -> None"))
        .def_prop_ro("in_place", &PyRules::in_place,
                     "True if a move changes nothing but its origin, its target and a hand, so that moves are made "
                     "without a journal and counted by sets.")
        .def("may_stand", &PyRules::may_stand, "piece"_a, "point"_a, "dropped"_a,
             "True if the rules without a live condition let the piece land, or be dropped, on the point.");

    nb::class_<PyPosition>(m, "Position", "A position and the moves that led to it.")
        .def(nb::init<std::shared_ptr<PyRules>, std::vector<int>, std::array<std::vector<int>, 2>, int>(), "rules"_a,
             "board"_a, "hands"_a, "side_to_move"_a)
        .def("copy", [](const PyPosition& self) { return PyPosition(self); })
        .def("legal_moves", &PyPosition::legal_moves, nb::sig("def legal_moves(self) -> list[komadai.spec.move.Move]"))
        .def("legal_moves_generic", &PyPosition::legal_moves_generic,
             "Both words of the legal moves by the generic path, which tries every move: the oracle of the fast one.")
        .def("legal_checks", &PyPosition::legal_checks,
             nb::sig("def legal_checks(self) -> list[komadai.spec.move.Move]"))
        .def("legal_checks_generic", &PyPosition::legal_checks_generic,
             "Both words of the legal moves that give check, by making every legal move.")
        .def("push", &PyPosition::push, "code"_a, "trail"_a, "Make the move if it is legal; return whether it is.")
        .def("pop", &PyPosition::pop)
        .def("in_check", &PyPosition::in_check)
        .def("side_to_move", &PyPosition::side_to_move, "0 Black, 1 White.")
        .def("plies", &PyPosition::plies)
        .def("key", &PyPosition::key)
        .def("key_from_scratch", &PyPosition::key_from_scratch)
        .def("board", &PyPosition::board)
        .def("piece_at", &PyPosition::piece_at, "point"_a, "The piece number on a point; 0 where it is empty.")
        .def("hand", &PyPosition::hand, "side"_a)
        .def("support", &PyPosition::support, "piece"_a, "The points where a piece of that number has support.")
        .def("stranded", &PyPosition::stranded,
             "The points of the mover's pieces that the end of the turn is about to take.")
        .def("immobilized", &PyPosition::immobilized,
             "The points of the mover's pieces that may not move at all this turn.")
        .def("losses", &PyPosition::losses, "code"_a, "trail"_a,
             "The points of the mover's pieces that are lost by a legal move.")
        .def("outcome", &PyPosition::outcome)
        .def("winning_move", &PyPosition::winning_move, "A move that wins the game at once, if there is one.",
             nb::sig("def winning_move(self) -> komadai.spec.move.Move | None"))
        .def("perft", &PyPosition::perft, "depth"_a, "bulk"_a = true, "generic"_a = false);
}

}  // namespace komadai
