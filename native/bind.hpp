// What the files of the bindings share: conversions and locks, no rules. bind*.cpp are all that knows Python.
#pragma once

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>
#pragma GCC diagnostic pop

#include "any_position.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace komadai {

void bind_tables(nb::module_& m);
void bind_position(nb::module_& m);
void bind_search(nb::module_& m);
void bind_solve(nb::module_& m);

// Throws the exception of a pending signal, such as KeyboardInterrupt. To be called without the GIL.
inline void check_signals() {
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// The native rules of a variant, and the Move objects of Python made so far: each distinct move exists once. Neither
// the callable nor a Move may refer to the rules: the garbage collector would not see such a circle.
class PyRules {
 public:
    PyRules(const RuleTables& tables, nb::object make_move)
        : rules_(make_rules(tables)), make_move_(std::move(make_move)), cells_(size_t(tables.cells)) {
        made_.resize(size_t(tables.pieces));
    }

    PyRules(const PyRules&) = delete;

    // The Move of Python. Those with a trail are not kept, because there are too many.
    nb::object move(Move move) {
        if (move.trail) return make_move_(move.code(), move.trail);
        std::vector<Row>& rows = made_[move.piece];
        if (rows.empty()) rows.resize((cells_ + MAX_HAND) * 4);
        size_t from = move.is_drop() ? cells_ + move.from : move.from;
        Row& row = rows[from * 4 + (move.flags >> 1)];
        if (!row) row = std::make_unique<nb::object[]>(cells_);
        nb::object& made = row[move.to];
        if (!made.is_valid()) made = make_move_(move.code(), move.trail);
        return made;
    }

    [[nodiscard]] bool in_place() const {
        return std::visit([](const auto& r) { return r->in_place; }, rules_);
    }

    // True if a rule without a live condition lets the piece land, or be dropped, on the point.
    [[nodiscard]] bool may_stand(int piece, int point, bool dropped) const {
        return std::visit(
            [&](const auto& r) {
                if (piece < 0 || piece >= int(r->info.size()) || point < 0 || point >= r->points)
                    throw std::invalid_argument("no such piece number or point");
                const auto& info = r->info[piece];
                return (dropped ? info.may_drop : info.may_land).test(Point(point));
            },
            rules_);
    }
    [[nodiscard]] const AnyRules& any() const { return rules_; }

 private:
    using Row = std::unique_ptr<nb::object[]>;  // by target
    AnyRules rules_;
    nb::object make_move_;
    size_t cells_;
    std::vector<std::vector<Row>> made_;  // by piece; by origin (or hand slot, after the cells) and suffix
};

class PyPosition {
    template <int W>
    static std::vector<int> listed(const Bits<W>& points) {
        std::vector<int> found;
        points.each([&](Point point) { return found.push_back(point), false; });
        return found;
    }
    template <class Do>
    decltype(auto) with(Do do_it) {
        return std::visit(do_it, position_);
    }

 public:
    // board: piece numbers by point; hands: counts by side and slot; side_to_move: 0 Black, 1 White.
    PyPosition(std::shared_ptr<PyRules> rules, std::vector<int> board, std::array<std::vector<int>, 2> hands,
               int side_to_move)
        : rules_(std::move(rules)),
          position_(make_position(rules_->any(), {side_to_move, std::move(board), std::move(hands)})) {}
    PyPosition(const PyPosition& other) : rules_(other.rules_), position_(other.position_) {}
    PyPosition(std::shared_ptr<PyRules> rules, const Position<SMALL>& position)
        : rules_(std::move(rules)), position_(position) {}

    nb::list legal_moves() { return python_moves(fresh()); }
    std::vector<std::pair<uint64_t, uint64_t>> legal_moves_generic() {
        MoveList moves;
        with([&](auto& position) { position.legal_moves_generic(moves); });
        return codes(moves);
    }
    nb::list legal_checks() {
        MoveList moves;
        with([&](auto& position) { position.legal_checks(moves); });
        return python_moves(moves);
    }
    std::vector<std::pair<uint64_t, uint64_t>> legal_checks_generic() {
        MoveList moves;
        with([&](auto& position) { position.legal_checks_generic(moves); });
        return codes(moves);
    }
    // Makes the move if it is legal, and returns whether it is.
    bool push(uint64_t code, uint64_t trail) {
        Move move = Move::from_code(code, trail);
        if (!is_legal(move)) return false;
        with([&](auto& position) { position.push_noting_check(move); });
        fresh_ = false;
        return true;
    }
    void pop() {
        with([&](auto& position) {
            if (position.plies() == 0) throw std::out_of_range("no move to take back");
            position.pop();
        });
        fresh_ = false;
    }
    bool in_check() {
        return with([](auto& position) { return position.in_check(position.side_to_move()); });
    }
    int side_to_move() {
        return with([](auto& position) { return int(position.side_to_move()); });
    }
    size_t plies() {
        return with([](auto& position) { return position.plies(); });
    }
    uint64_t key() {
        return with([](auto& position) { return position.key(); });
    }
    uint64_t key_from_scratch() {
        return with([](auto& position) { return position.key_from_scratch(); });
    }
    std::vector<int> board() {
        return with([](auto& position) {
            std::vector<int> pieces;
            for (Cell cell : position.rules().cell_of) pieces.push_back(position.at(cell));
            return pieces;
        });
    }
    int piece_at(size_t point) {
        return with([&](auto& position) { return int(position.at(position.rules().cell_of.at(point))); });
    }
    std::vector<int> hand(int side) {
        return with([&](auto& position) {
            std::vector<int> counts;
            for (int slot = 0; slot < position.rules().hands(); ++slot)
                counts.push_back(position.in_hand(Side(side & 1), slot));
            return counts;
        });
    }
    std::vector<int> support(int piece) {
        return with([&](auto& position) {
            if (piece < 0 || piece >= int(position.rules().info.size()))
                throw std::invalid_argument("no such piece number");
            return listed(position.support(position.rules().info[piece].role));
        });
    }
    std::vector<int> stranded() {
        return with([](auto& position) { return listed(komadai::stranded(position.state())); });
    }
    std::vector<int> immobilized() {
        return with([](auto& position) {
            return position.rules().is_compound ? listed(position.immobilized()) : std::vector<int>{};
        });
    }
    std::vector<int> losses(uint64_t code, uint64_t trail) {
        Move move = Move::from_code(code, trail);
        if (!is_legal(move)) throw std::invalid_argument("not a legal move");
        return with([&](auto& position) { return listed(position.losses(move)); });
    }
    Outcome outcome() {
        return with([](auto& position) { return position.outcome(); });
    }
    nb::object winning_move() {
        const Move move = with([](auto& position) { return position.winning_move(); });
        return move == Move{} ? nb::none() : python_move(move);
    }
    // Counts on a copy, so that other threads may use the position meanwhile.
    uint64_t perft(int depth, bool bulk, bool generic) {
        AnyPosition copy = position_;
        nb::gil_scoped_release release;
        return std::visit([&](auto& position) { return position.perft(depth, bulk, generic, check_signals); }, copy);
    }

    nb::object python_move(Move move) { return rules_->move(move); }
    nb::list python_moves(const MoveList& moves) {
        nb::list out = nb::steal<nb::list>(PyList_New(Py_ssize_t(moves.size())));
        if (!out.is_valid()) throw nb::python_error();
        for (size_t i = 0; i < moves.size(); ++i)
            PyList_SetItem(out.ptr(), Py_ssize_t(i), rules_->move(moves[i]).release().ptr());
        return out;
    }

    [[nodiscard]] const AnyPosition& any() const { return position_; }

 private:
    static std::vector<std::pair<uint64_t, uint64_t>> codes(const MoveList& moves) {
        std::vector<std::pair<uint64_t, uint64_t>> found;
        for (Move move : moves) found.emplace_back(move.code(), move.trail);
        return found;
    }
    bool is_legal(Move move) {
        const MoveList& legal = fresh();
        return std::find(legal.begin(), legal.end(), move) != legal.end();
    }
    const MoveList& fresh() {
        if (!fresh_) {
            legal_.clear();
            with([&](auto& position) { position.legal_moves(legal_); });
            fresh_ = true;
        }
        return legal_;
    }

    std::shared_ptr<PyRules> rules_;
    AnyPosition position_;
    MoveList legal_;
    bool fresh_ = false;
};

}  // namespace komadai
