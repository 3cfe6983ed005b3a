// The bindings of rules, positions, moves and trees of steps.
#include <algorithm>
#include <cstring>
#include <optional>

#include "bind.hpp"
#include "steps.hpp"

namespace komadai {

// --- Moves ---

namespace {

// Empty, as no move string is, where the text cannot be written in UTF-8.
std::string_view view(nb::handle text) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (data == nullptr) return PyErr_Clear(), std::string_view();
    return {data, size_t(size)};
}

// The value of an attribute, whose name Python keeps; invalid if there is none.
nb::object attribute(nb::handle of, PyObject* name) {
    nb::object found = nb::steal(in_python([&] { return PyObject_GetAttr(of.ptr(), name); }));
    if (!found.is_valid()) PyErr_Clear();
    return found;
}

// The two words of a Move of Python; nothing if it is none.
std::optional<Move> words_of(nb::handle move) {
    static PyObject* const code_name = PyUnicode_InternFromString("code");
    static PyObject* const trail_name = PyUnicode_InternFromString("trail");
    uint64_t words[2];
    size_t found = 0;
    for (PyObject* name : {code_name, trail_name}) {
        const nb::object word = attribute(move, name);
        if (!word.is_valid() || !PyLong_Check(word.ptr())) return {};
        words[found++] = PyLong_AsUnsignedLongLong(word.ptr());
        if (PyErr_Occurred()) return PyErr_Clear(), std::nullopt;
    }
    return Move::from_code(words[0], words[1]);
}

// Goes over moves in either direction.
struct PyMoveIterator {
    PyMoves moves;
    size_t left;
    bool backwards;

    // Without an exception at the end, which would take longer than many moves.
    static PyObject* next(PyObject* self) {
        if (!nb::inst_ready(self)) return PyErr_SetString(PyExc_TypeError, "an iterator that was never made"), nullptr;
        auto& [moves, left, backwards] = *nb::inst_ptr<PyMoveIterator>(self);
        if (left == 0) return nullptr;
        const size_t done = moves.size() - left--;
        try {
            return moves.at(Py_ssize_t(backwards ? left : done)).release().ptr();
        } catch (nb::python_error& error) {
            error.restore();
        } catch (const std::bad_alloc&) {
            PyErr_NoMemory();
        }
        return nullptr;
    }
};

PyType_Slot iterator_slots[] = {{Py_tp_iter, reinterpret_cast<void*>(&PyObject_SelfIter)},
                                {Py_tp_iternext, reinterpret_cast<void*>(&PyMoveIterator::next)},
                                {0, nullptr}};

}  // namespace

nb::object PyMoves::at(Py_ssize_t index) const {
    if (index < 0) index += Py_ssize_t(size());
    if (index < 0 || size_t(index) >= size()) throw nb::index_error("move index out of range");
    nb::object made = table_->rules->move(table_->moves[size_t(index)]);
    table_->place = size_t(index);
    table_->made = made;
    return made;
}

nb::list PyMoves::slice(const nb::slice& slice) const {
    const auto [start, stop, step, length] = slice.compute(size());
    nb::list found;
    for (size_t i = 0; i < length; ++i) found.append(at(start + Py_ssize_t(i) * step));
    return found;
}

// True if a Move of Python, or a move string, is that move.
bool PyMoves::is(const PyRules& rules, Move move, nb::handle other) {
    static PyObject* const text_name = PyUnicode_InternFromString("text");
    if (PyUnicode_Check(other.ptr())) return rules.names().is(move, view(other));
    if (words_of(other) != move) return false;
    const nb::object text = attribute(other, text_name);  // it differs in other games
    return text.is_valid() && PyUnicode_Check(text.ptr()) && rules.names().is(move, view(text));
}

Py_ssize_t PyMoves::find(const MoveTable& table, nb::handle move) {
    const PyRules& rules = *table.rules;
    if (move.is(table.made)) return Py_ssize_t(table.place);
    const MoveList& all = table.moves;
    auto found = all.end();
    if (PyUnicode_Check(move.ptr())) {
        found = rules.names().find(all, view(move));
    } else if (const std::optional<Move> words = words_of(move)) {
        found = std::ranges::find(all, *words);
        if (found != all.end() && !is(rules, *found, move)) found = all.end();
    }
    return found == all.end() ? -1 : Py_ssize_t(found - all.begin());
}

size_t PyMoves::index(nb::handle move, Py_ssize_t start, Py_ssize_t stop) const {
    const auto all = Py_ssize_t(size());
    auto from_end = [&](Py_ssize_t place) { return place < 0 ? std::max<Py_ssize_t>(place + all, 0) : place; };
    const Py_ssize_t found = find(move);
    if (found < 0 || found < from_end(start) || found >= from_end(stop))
        throw nb::value_error("the move is not among them");
    return size_t(found);
}

// Equal to a list of the same moves in the same order.
nb::object PyMoves::equals(nb::handle other) const {
    const bool is_list = nb::isinstance<nb::list>(other);
    if (!is_list && !nb::isinstance<PyMoves>(other)) return nb::borrow(nb::handle(Py_NotImplemented));
    if (nb::len(other) != size()) return nb::bool_(false);
    size_t i = 0;
    for (nb::handle one : nb::iter(other))
        if (i == size() || PyUnicode_Check(one.ptr()) || !is(*table_->rules, table_->moves[i++], one))
            return nb::bool_(false);
    return nb::bool_(i == size());
}

nb::list PyMoves::texts() const {
    nb::list found;
    for (Move move : table_->moves) {
        const std::string text = table_->rules->names().text(move);
        found.append(nb::str(text.data(), text.size()));
    }
    return found;
}

nb::bytes PyMoves::words() const {
    std::vector<uint64_t> words;
    for (Move move : table_->moves) words.insert(words.end(), {move.code(), move.trail});
    return nb::bytes(words.data(), words.size() * sizeof(uint64_t));
}

bool PyPosition::push(nb::handle move) {
    const Py_ssize_t place = PyMoves::find(*fresh(), move);
    if (place < 0) return false;
    with([&](auto& position) { position.push_noting_check(fresh()->moves[size_t(place)]); });
    before_ = legal_;
    forget();
    return true;
}

// --- Trees of steps ---

namespace {

// A tree of steps as Python gets it.
struct PySteps {
    StepTree tree;
    PyMoves moves;
};

// Rows of numbers, in the machine's order of bytes.
template <class Row>
nb::bytes numbers(const std::vector<Row>& rows) {
    return nb::bytes(rows.data(), rows.size() * sizeof(Row));
}

PySteps steps_of(const PyPosition& position) {
    const std::shared_ptr<PyRules>& rules = position.rules();
    StepTree tree = std::visit([&](const auto& p) { return step_tree(p, rules->names()); }, position.any());
    PyMoves moves(rules, std::move(tree.moves));
    return {std::move(tree), std::move(moves)};
}

nb::slice everything() { return {nb::none(), nb::none(), nb::none()}; }

void bind_moves(nb::module_& m) {
    nb::class_<PyMoveIterator>(m, "_MoveIterator", nb::type_slots(iterator_slots));
    nb::class_<PyMoves> moves(m, "Moves",
                              "Moves of one position: a sequence that makes each Move when it is asked for, equal to a "
                              "list of the same moves "
                              "or move strings.",
                              nb::sig("class Moves(collections.abc.Sequence[komadai.spec.move.Move])"));
    moves.def("__len__", &PyMoves::size)
        .def("__getitem__", &PyMoves::at, "index"_a,
             nb::sig("def __getitem__(self, index: int, /) -> komadai.spec.move.Move"))
        .def("__getitem__", &PyMoves::slice, "slice"_a,
             nb::sig("def __getitem__(self, index: slice, /) -> list[komadai.spec.move.Move]"))
        .def(
            "__iter__", [](const PyMoves& self) { return PyMoveIterator{self, self.size(), false}; },
            nb::sig("def __iter__(self) -> collections.abc.Iterator[komadai.spec.move.Move]"))
        .def(
            "__reversed__", [](const PyMoves& self) { return PyMoveIterator{self, self.size(), true}; },
            nb::sig("def __reversed__(self) -> collections.abc.Iterator[komadai.spec.move.Move]"))
        .def(
            "__contains__", [](const PyMoves& self, nb::handle move) { return self.find(move) >= 0; }, "move"_a.none())
        .def("__eq__", &PyMoves::equals, "other"_a.none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def(
            "__repr__",
            [](const PyMoves& self) {
                const nb::list all = self.slice(everything());
                return in_python([&] { return nb::repr(all); });
            },
            nb::sig("def __repr__(self) -> str"))
        .def("index", &PyMoves::index, "move"_a.none(), "start"_a = 0, "stop"_a = PY_SSIZE_T_MAX,
             "The place of a move or move string.",
             nb::sig("def index(self, move: object, start: int = 0, stop: int = ..., /) -> int"))
        .def(
            "count", [](const PyMoves& self, nb::handle move) { return int(self.find(move) >= 0); }, "value"_a.none())
        .def(
            "__reduce__",  // pickled as a list
            [](const PyMoves& self) {
                return nb::make_tuple(nb::handle(reinterpret_cast<PyObject*>(&PyList_Type)),
                                      nb::make_tuple(self.slice(everything())));
            },
            nb::sig("def __reduce__(self) -> tuple[object, ...]"))
        .def("__hash__", [](const PyMoves&) -> int { throw nb::type_error("moves have no hash, as a list has none"); })
        .def("texts", &PyMoves::texts, "The move strings; no Move is made for them.",
             nb::sig("def texts(self) -> list[str]"))
        .def("words", &PyMoves::words,
             "Move.code and Move.trail of each move in turn, as numbers of 64 bits in the machine's order of bytes.");
}

void bind_steps(nb::module_& m) {
    nb::class_<PySteps>(m, "Steps",
                        "The legal moves of a position as a tree of steps, in rows of numbers of 32 bits in the "
                        "machine's order of bytes (native/steps.hpp).")
        .def_prop_ro(
            "first", [](const PySteps& self) { return numbers(self.tree.first); },
            "By node, the number of its first step, and at last the number of all steps. The root is node 0.")
        .def_prop_ro(
            "steps", [](const PySteps& self) { return numbers(self.tree.steps); },
            "Rows of type, point, kind (of a drop: hand slot), kind taken, hand slot gained (-1: none of it) and "
            "the node that follows, or the complement of a leaf.")
        .def_prop_ro(
            "leaves", [](const PySteps& self) { return numbers(self.tree.leaves); },
            "Rows of the kind on the target after the move (-1: none) and an index of `presences`.")
        .def_ro("moves", &PySteps::moves, "The moves by leaf.")
        .def_prop_ro(
            "effects", [](const PySteps& self) { return numbers(self.tree.effects); },
            "Rows of leaf, effect, point and kind, by leaf.")
        .def_prop_ro(
            "presences", [](const PySteps& self) { return self.tree.presences; },
            "The pieces on the board of those whose presence matters: now, and after some move.");
}

}  // namespace

void bind_position(nb::module_& m) {
    // A method without arguments that asks the position in its size.
    auto asked = [](auto ask) { return [ask](PyPosition& self) { return self.with(ask); }; };
    nb::class_<Outcome>(m, "Outcome", "The end of a game, and the winning side: 0 Black, 1 White, -1 nobody.")
        .def_ro("end", &Outcome::end)
        .def_ro("winner", &Outcome::winner);
    nb::class_<PyRules>(m, "Rules", "The native rules of one variant, immutable and shared.")
        .def(nb::init<const RuleTables&, const std::vector<std::string>&, std::vector<std::string>, nb::object>(),
             "tables"_a, "points"_a, "kinds"_a, "make_move"_a,
             nb::sig("def __init__(self, tables: RuleTables, points: collections.abc.Sequence[str], "
                     "kinds: collections.abc.Sequence[str], "
                     "make_move: collections.abc.Callable[[int, int, str], komadai.spec.move.Move]) -> None"))
        .def(
            "move",
            [](PyRules& self, uint64_t code, uint64_t trail) { return self.known_move(Move::from_code(code, trail)); },
            "code"_a, "trail"_a, "The Move of a native move's two words, of a legal move of some position.",
            nb::sig("def move(self, code: int, trail: int) -> komadai.spec.move.Move"))
        .def_prop_ro("ends_by_sets", &PyRules::ends_by_sets,
                     "True if the end of a turn takes pieces, and those are found by sets without making the move.")
        .def_prop_ro("in_place", &PyRules::in_place,
                     "True if a move changes nothing but its origin, its target and a hand, so that moves are made "
                     "without a journal and counted by sets.")
        .def("may_stand", &PyRules::may_stand, "piece"_a, "point"_a, "dropped"_a,
             "True if the rules without a live condition let the piece land, or be dropped, on the point.");

    bind_moves(m);
    bind_steps(m);
    nb::class_<PyPosition>(m, "Position", "A position and the moves that led to it.")
        .def(nb::init<std::shared_ptr<PyRules>, std::vector<int>, std::array<std::vector<int>, 2>, int,
                      std::optional<int>>(),
             "rules"_a, "board"_a, "hands"_a, "side_to_move"_a, "taken_on"_a.none() = nb::none())
        .def("copy", [](const PyPosition& self) { return PyPosition(self); })
        .def("legal_moves", &PyPosition::legal_moves)
        .def("steps", &steps_of, "The legal moves as a tree of steps.")
        .def("find", &PyPosition::find, "text"_a.none(), "The legal move of a move string.",
             nb::sig("def find(self, text: str) -> komadai.spec.move.Move | None"))
        .def("legal_moves_generic", &PyPosition::legal_moves_generic,
             "Both words of the legal moves by the generic path, which tries every move: the oracle of the fast one.")
        .def("legal_checks", &PyPosition::legal_checks,
             nb::sig("def legal_checks(self) -> list[komadai.spec.move.Move]"))
        .def("legal_checks_generic", &PyPosition::legal_checks_generic,
             "Both words of the legal moves that give check, by making every legal move.")
        .def("push", &PyPosition::push, "move"_a.none(),
             "Make a move, or the move of a move string, if it is legal; return whether it is.",
             nb::sig("def push(self, move: komadai.spec.move.Move | str) -> bool"))
        .def("pop", &PyPosition::pop, "Take the last move back, and return it.",
             nb::sig("def pop(self) -> komadai.spec.move.Move"))
        .def("played", &PyPosition::played, "The moves that led here.")
        .def("in_check", asked([](auto& p) { return p.in_check(p.side_to_move()); }),
             "True if a royal piece of the side to move is attacked, or its survival threatened.")
        .def(
            "royal_in_check", asked([](auto& p) { return p.royal_in_check(p.side_to_move()); }),
            "True if a royal piece of the side to move is attacked, or its survival where that has to be guarded: what "
            "no move may leave so.")
        .def("side_to_move", asked([](auto& p) { return int(p.side_to_move()); }), "0 Black, 1 White.")
        .def("plies", asked([](auto& p) { return p.plies(); }))
        .def("key", asked([](auto& p) { return p.key(); }))
        .def("key_from_scratch", asked([](auto& p) { return p.key_from_scratch(); }))
        .def("board", asked([](auto& p) {
                 std::vector<int> pieces;
                 for (Cell cell : p.rules().cell_of) pieces.push_back(p.at(cell));
                 return pieces;
             }))
        .def("piece_at", &PyPosition::piece_at, "point"_a, "The piece number on a point; 0 where it is empty.")
        .def("hand", &PyPosition::hand, "side"_a)
        .def("taken_on", asked([](auto& p) {
                 const Point point = p.state().taken_on;
                 return point == NO_POINT ? std::nullopt : std::optional<int>(point);
             }),
             "The point of the last move's capture, if the position remembers it.")
        .def("support", &PyPosition::support, "piece"_a, "The points where a piece of that number has support.")
        .def("stranded", asked([](auto& p) { return listed(stranded(p.state())); }),
             "The points of the mover's pieces that the end of the turn is about to take.")
        .def("immobilized",
             asked([](auto& p) { return p.rules().is_compound ? listed(p.immobilized()) : std::vector<int>{}; }),
             "The points of the mover's pieces that may not move at all this turn.")
        .def("losses", &PyPosition::losses, "code"_a, "trail"_a,
             "The points of the mover's pieces that are lost by a legal move.")
        .def("outcome", asked([](auto& p) { return p.outcome(); }))
        .def("winner_on_board", asked([](auto& p) {
                 const Outcome end = p.outcome_on_board();
                 return end.end == End::NONE ? -1 : end.winner;
             }),
             "The side that has won by what stands on the board; -1: none has.")
        .def("winning_move", &PyPosition::winning_move, "A move that wins the game at once, if there is one.",
             nb::sig("def winning_move(self) -> komadai.spec.move.Move | None"))
        .def("perft", &PyPosition::perft, "depth"_a, "bulk"_a = true, "generic"_a = false);
}

}  // namespace komadai
