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

#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

#include "any_position.hpp"
#include "calls.hpp"
#include "move_names.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace komadai {

void bind_tables(nb::module_& m);
void bind_position(nb::module_& m);
void bind_evaluation(nb::module_& m);
void bind_search(nb::module_& m);
void bind_solve(nb::module_& m);
void bind_rl(nb::module_& m);

// Binds a struct with fields(): its constructor takes every field by keyword, and its attributes are read-only.
template <class T>
void bind_record(nb::module_& m, const char* name, const char* doc) {
    nb::class_<T> type(m, name, doc);
    type.def("__init__", [name](T* self, const nb::kwargs& values) {
        T made{};
        size_t known = 0;
        T::fields([&](const char* field, auto member) {
            const std::string path = std::string(name) + "." + field;
            if (!values.contains(field)) throw nb::type_error((path + " is missing").c_str());
            using Field = std::remove_reference_t<decltype(made.*member)>;
            if (!nb::try_cast<Field>(values[field], made.*member))
                throw nb::type_error((path + " has the wrong type").c_str());
            ++known;
        });
        if (known != values.size()) throw nb::type_error((std::string(name) + " has no such field").c_str());
        new (self) T(std::move(made));
    });
    T::fields([&](const char* field, auto member) { type.def_ro(field, member); });
}

// Calls what may run code of Python, or waits for the GIL. While the interpreter ends, CPython before 3.14 unwinds
// every other thread that comes there, with glibc: through frames that may not throw, and destructors that need the
// GIL. Such a thread rests instead. What is called must own nothing while it waits.
template <class Do>
decltype(auto) in_python(Do do_it) {
#ifdef __GLIBCXX__
    try {
        return do_it();
    } catch (const abi::__forced_unwind&) {
        for (;;) rest();
    }
#else
    return do_it();
#endif
}

// A long call, or one that may wait, from Python: without the GIL, and stopped when the interpreter ends.
class Unlocked {
    struct Gil {
        PyThreadState* state = PyEval_SaveThread();
        Gil() = default;
        Gil(const Gil&) = delete;
        ~Gil() {
            in_python([this] { PyEval_RestoreThread(state); });
        }
    } gil_;
    Calls::Call call_{calls};
};

// Within such a call: with the GIL.
class Locked {
 public:
    Locked() : state_(in_python(PyGILState_Ensure)) {}
    Locked(const Locked&) = delete;
    ~Locked() { PyGILState_Release(state_); }

 private:
    PyGILState_STATE state_;
};

// For long calls to ask now and then: throws the exception of a pending signal, such as KeyboardInterrupt, or Ended.
inline void check_signals() {
    calls.check();
    const Locked locked;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// Calls of one thread at a time with an object. In the child of a fork the thread that was at work is not there: what
// it was changing is lost.
class Sole {
 public:
    class Work {
     public:
        // `what`: the object, in the words of a message.
        Work(Sole& sole, const char* what) : sole_(sole) {
            if (sole_.busy_.exchange(true))
                throw std::runtime_error(std::string("this ") + what +
                                         (sole_.lost() ? " was at work when the process was forked; make another one"
                                                       : " is already at work; stop it first"));
            sole_.process_ = this_process();
        }
        Work(const Work&) = delete;
        ~Work() { sole_.busy_ = false; }

     private:
        Sole& sole_;
    };

    [[nodiscard]] bool busy() const { return busy_; }
    [[nodiscard]] bool lost() const { return busy_ && process_ != this_process(); }
    // Once what was lost has been made anew.
    void renew() { busy_ = false; }

 private:
    std::atomic<bool> busy_{false};
    std::atomic<long> process_{0};
};

// A number from outside that must be in a range.
template <class Number>
Number within(const char* what, Number number, Number least, Number most) {
    if (number >= least && number <= most) return number;
    throw std::invalid_argument(std::string(what) + " is " + std::to_string(number) + "; expected " +
                                std::to_string(least) + " to " + std::to_string(most));
}

// The native rules of a variant, and the Move objects of Python made so far: each distinct move exists once. Neither
// the callable nor a Move may refer to the rules: the garbage collector would not see such a circle.
class PyRules {
 public:
    // points, kinds: their names.
    PyRules(const RuleTables& tables, const std::vector<std::string>& points, std::vector<std::string> kinds,
            nb::object make_move)
        : tables_(tables),
          rules_(make_rules(tables)),
          names_(tables.cell_of, points, std::move(kinds)),
          make_move_(std::move(make_move)),
          pieces_(size_t(tables.pieces)) {}

    PyRules(const PyRules&) = delete;

    // The Move of Python. Those with a trail are not kept, because there are too many.
    nb::object move(Move move) {
        if (move.trail) return make(move);
        if (nb::object& known = slot(move.code()).second; known.is_valid()) return known;
        nb::object made = make(move);  // which may ask for other moves
        if (++count_ * 2 > made_.size()) grow();
        return (slot(move.code()) = {move.code(), made}).second;
    }
    // Likewise of a move that may be none of these rules.
    nb::object known_move(Move move) {
        bool known = move.piece < pieces_ && names_.knows(move.to) &&
                     (move.is_drop() ? move.from < MAX_HAND : names_.knows(move.from));
        for (uint64_t trail = move.trail; trail; trail >>= 16) known &= names_.knows(Cell(trail & TRAIL_CELL));
        if (!known) throw std::invalid_argument("no move of these rules");
        return this->move(move);
    }

    [[nodiscard]] bool ends_by_sets() const {
        return std::visit([](const auto& r) { return !r->end_rules.empty() && r->ends_everywhere; }, rules_);
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
    // Those for small boards, in which games are solved; of tiny ones they are made when first asked for.
    const SharedRules<SMALL>& small() {
        if (const auto* found = std::get_if<SharedRules<SMALL>>(&rules_)) return *found;
        if (!std::holds_alternative<SharedRules<TINY>>(rules_))
            throw std::invalid_argument("the board is too large for an index");
        if (!small_) small_ = std::make_shared<const Rules<SMALL>>(tables_);
        return small_;
    }
    [[nodiscard]] const MoveNames& names() const { return names_; }

 private:
    nb::object make(Move move) {
        const std::string text = names_.text(move);
        return in_python([&] { return make_move_(move.code(), move.trail, text); });
    }

    using Slot = std::pair<uint64_t, nb::object>;

    // The slot of a move's code, or the empty one where it would be.
    Slot& slot(uint64_t code) {
        size_t i = size_t(mix(code));
        while (made_[i & (made_.size() - 1)].second.is_valid() && made_[i & (made_.size() - 1)].first != code) ++i;
        return made_[i & (made_.size() - 1)];
    }
    void grow() {
        std::vector<Slot> before(made_.size() * 2);
        before.swap(made_);
        for (Slot& one : before)
            if (one.second.is_valid()) slot(one.first) = std::move(one);
    }

    RuleTables tables_;
    AnyRules rules_;
    SharedRules<SMALL> small_;
    MoveNames names_;
    nb::object make_move_;
    size_t pieces_, count_ = 0;
    std::vector<Slot> made_ = std::vector<Slot>(1024);  // by hash; a power of two, at most half of them in use
};

// The moves of one position, and which of them became a Move last: it is mostly that which is pushed then.
struct MoveTable {
    std::shared_ptr<PyRules> rules;
    MoveList moves;
    size_t place = 0;
    nb::object made;
};

// Moves as a sequence of Python's: a Move is made when it is asked for.
class PyMoves {
 public:
    explicit PyMoves(std::shared_ptr<MoveTable> table) : table_(std::move(table)) {}
    PyMoves(std::shared_ptr<PyRules> rules, MoveList moves)
        : PyMoves(std::make_shared<MoveTable>(MoveTable{std::move(rules), std::move(moves), 0, {}})) {}

    [[nodiscard]] size_t size() const { return table_->moves.size(); }
    [[nodiscard]] nb::object at(Py_ssize_t index) const;
    [[nodiscard]] nb::list slice(const nb::slice& slice) const;
    // The place of a move, given as a Move or as its string; -1 if it is not among them.
    [[nodiscard]] Py_ssize_t find(nb::handle move) const { return find(*table_, move); }
    [[nodiscard]] static Py_ssize_t find(const MoveTable& table, nb::handle move);
    // Throws ValueError if it is not among those from `start` to before `stop`.
    [[nodiscard]] size_t index(nb::handle move, Py_ssize_t start, Py_ssize_t stop) const;
    [[nodiscard]] nb::object equals(nb::handle other) const;
    [[nodiscard]] nb::list texts() const;
    [[nodiscard]] nb::bytes words() const;

 private:
    [[nodiscard]] static bool is(const PyRules& rules, Move move, nb::handle other);

    std::shared_ptr<MoveTable> table_;
};

// The points of a set.
template <int W>
std::vector<int> listed(const Bits<W>& points) {
    std::vector<int> found;
    points.each([&](Point point) { return found.push_back(point), false; });
    return found;
}

class PyPosition {
 public:
    // Calls do_it with the position in its size.
    template <class Do>
    decltype(auto) with(Do do_it) {
        return std::visit(do_it, position_);
    }
    // board: piece numbers by point; hands: counts by side and slot; side_to_move: 0 Black, 1 White; taken_on: the
    // point of the last move's capture, if it is remembered.
    PyPosition(std::shared_ptr<PyRules> rules, std::vector<int> board, std::array<std::vector<int>, 2> hands,
               int side_to_move, std::optional<int> taken_on)
        : rules_(std::move(rules)),
          position_(make_position(rules_->any(), {side_to_move, std::move(board), std::move(hands), taken_on})) {}
    PyPosition(const PyPosition& other) : rules_(other.rules_), position_(other.position_) {}
    PyPosition(std::shared_ptr<PyRules> rules, AnyPosition position)
        : rules_(std::move(rules)), position_(std::move(position)) {}

    PyMoves legal_moves() { return PyMoves(fresh()); }
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
    // The legal move of a move string, or nothing.
    nb::object find(nb::handle text) {
        const PyMoves moves = legal_moves();
        const Py_ssize_t found = PyUnicode_Check(text.ptr()) ? moves.find(text) : -1;
        return found < 0 ? nb::none() : moves.at(found);
    }
    // Makes a move, given as a Move or as its string, if it is legal; returns whether it is.
    bool push(nb::handle move);
    // Takes the last move back, and returns it.
    nb::object pop() {
        return with([&](auto& position) {
            const auto& played = position.state().played;
            if (played.empty()) throw std::out_of_range("no move to take back");
            nb::object made = python_move(played.back().move);
            position.pop();
            forget();
            legal_ = std::move(before_);
            return made;
        });
    }
    // The moves that led here.
    PyMoves played() {
        MoveList moves;
        with([&](auto& position) {
            for (const auto& one : position.state().played) moves.push_back(one.move);
        });
        return {rules_, std::move(moves)};
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
    std::vector<int> losses(uint64_t code, uint64_t trail) {
        Move move = Move::from_code(code, trail);
        if (!is_legal(move)) throw std::invalid_argument("not a legal move");
        return with([&](auto& position) { return listed(position.losses(move)); });
    }
    nb::object winning_move() {
        const Move move = with([](auto& position) { return position.winning_move(); });
        return move == Move{} ? nb::none() : python_move(move);
    }
    // Counts on a copy, so that other threads may use the position meanwhile.
    uint64_t perft(int depth, bool bulk, bool generic) {
        within("depth", depth, 0, MAX_PLY - 1);
        AnyPosition copy = position_;
        const Unlocked unlocked;
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
    [[nodiscard]] const std::shared_ptr<PyRules>& rules() const { return rules_; }

 private:
    static std::vector<std::pair<uint64_t, uint64_t>> codes(const MoveList& moves) {
        std::vector<std::pair<uint64_t, uint64_t>> found;
        for (Move move : moves) found.emplace_back(move.code(), move.trail);
        return found;
    }
    bool is_legal(Move move) {
        const MoveList& legal = fresh()->moves;
        return std::ranges::find(legal, move) != legal.end();
    }
    // The legal moves, kept until the position changes. A table that nobody else has is used again: programs that play
    // on have the one before still at hand, so that two take turns.
    const std::shared_ptr<MoveTable>& fresh() {
        if (legal_) return legal_;
        std::shared_ptr<MoveTable> table;
        for (auto& spare : spare_)
            if (!table && spare.use_count() == 1) table = std::move(spare);
        if (!table) table = std::make_shared<MoveTable>(MoveTable{rules_, {}, 0, {}});
        table->moves.clear();
        table->made.reset();
        with([&](auto& position) { position.legal_moves(table->moves); });
        return legal_ = std::move(table);
    }
    // To be called when the position has changed.
    void forget() {
        for (auto& spare : spare_)
            if (legal_ && spare.use_count() != 1) spare = std::move(legal_);
        legal_.reset();
    }

    std::shared_ptr<PyRules> rules_;
    AnyPosition position_;
    std::shared_ptr<MoveTable> legal_;
    std::shared_ptr<MoveTable> before_;  // that of the position before the last push, which a pop brings back
    std::array<std::shared_ptr<MoveTable>, 2> spare_;
};

}  // namespace komadai
