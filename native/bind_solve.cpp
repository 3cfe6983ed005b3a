// The bindings of solved games.
#include "bind.hpp"
#include "relative_solve.hpp"
#include "strategy_check.hpp"

namespace komadai {
namespace {

// Calls do_it(position) with the position in the instance for small boards.
template <class Do>
auto with_small(const PyPosition& position, Do do_it) {
    const SharedRules<SMALL>& rules = position.rules()->small();
    if (const auto* found = std::get_if<Position<SMALL>>(&position.any())) return do_it(*found);
    return do_it(resized(std::get<Position<TINY>>(position.any()), rules));
}

// The index of a small game's positions; immutable, so threads may share it.
template <class Index>
class PyIndex {
 public:
    template <class... More>
    PyIndex(std::shared_ptr<PyRules> rules, const PyPosition& start, More... more) : rules_(std::move(rules)) {
        with_small(start, [&](const Position<SMALL>& from) {
            index_ = std::make_shared<const Index>(rules_->small(), from, std::move(more)...);
            start_ = index_->find(from);
        });
    }
    [[nodiscard]] std::shared_ptr<const Index> index() const { return index_; }
    [[nodiscard]] Slot start() const { return start_; }
    [[nodiscard]] Slot size() const { return index_->size(); }
    [[nodiscard]] Slot main() const { return index_->main(); }
    int64_t find(const PyPosition& position) const {
        const Slot slot = slot_of(position);
        return slot == NO_SLOT ? -1 : int64_t(slot);
    }
    // The numbers of the positions before one that has a number, by un-moves; some may be no legal positions.
    std::vector<int64_t> before(const PyPosition& position) const {
        std::vector<int64_t> found;
        auto add = [&](Slot slot) {
            if (slot != NO_SLOT) found.push_back(slot);
        };
        const Slot slot = slot_of(position);
        if (slot == NO_SLOT) return found;
        if constexpr (std::is_same_v<Index, TableIndex>) {
            Position<SMALL> from = index_->blank();
            index_->set_up(slot, from);
            Unmoves<SMALL>(*index_->rules()).each(from, [&](Move) { add(index_->find(from)); });
        } else if (slot < index_->main()) {
            index_->each_before(slot, [&](Slot one, int moves) { found.insert(found.end(), size_t(moves), one); });
        }
        return found;
    }
    PyPosition position(Slot slot) const {
        auto in = [&]<int W>(const SharedRules<W>& rules) -> AnyPosition { return resized(set_up(slot), rules); };
        return PyPosition(rules_, std::visit(in, rules_->any()));
    }
    bool counts(Slot slot) const { return index_->counts(slot, set_up(slot)); }
    bool is_image(Slot slot) const { return index_->is_image(slot, set_up(slot)); }

    static void bind(nb::class_<PyIndex>& c) {
        c.def_prop_ro("size", &PyIndex::size, "The number of positions; they are numbered from 0.")
            .def_prop_ro("main", &PyIndex::main, "The number of those with every royal piece on the board.")
            .def("find", &PyIndex::find, "position"_a, "The number of a position, or -1.")
            .def("before", &PyIndex::before, "position"_a,
                 "The numbers of the positions from which a move leads to one that has a number, by un-moves.")
            .def("position", &PyIndex::position, "slot"_a, "The position of that number, Black to move.")
            .def("counts", &PyIndex::counts, "slot"_a, "True if the position can be played and is no mirror image.")
            .def("is_image", &PyIndex::is_image, "slot"_a,
                 "True if the position is the mirror image of one with a smaller number.");
    }

 protected:
    [[nodiscard]] Slot slot_of(const PyPosition& position) const {
        return with_small(position, [&](const Position<SMALL>& small) { return index_->find(small); });
    }
    [[nodiscard]] Position<SMALL> set_up(Slot slot) const {
        if (slot >= index_->size()) throw std::out_of_range("no such position");
        auto position = index_->blank();
        index_->set_up(slot, position);
        return position;
    }

    std::shared_ptr<PyRules> rules_;
    std::shared_ptr<const Index> index_;
    Slot start_ = 0;
};

using PyTableIndex = PyIndex<TableIndex>;
using PyRelativeIndex = PyIndex<RelativeIndex>;

// A callback into Python from work that has released the GIL.
template <class... Args>
auto calling(const nb::object& report) {
    return [&report](Args... args) {
        const Locked locked;
        in_python([&] { report(args...); });
    };
}

template <class Solver>
class PySolver {
 public:
    template <class Index, class... More>
    explicit PySolver(const Index& index, More... more)
        : size_(index.size()), solver_(index.index(), index.start(), more...) {}

    [[nodiscard]] size_t parts() const { return solver_.parts(); }
    void expand(int threads, nb::object tick) {
        const Sole::Work work(sole_, "solver");
        const Unlocked unlocked;
        solver_.expand(threads, calling<uint64_t, uint64_t>(tick), check_signals);
    }
    void propagate(int threads, nb::object tick) {
        const Sole::Work work(sole_, "solver");
        const Unlocked unlocked;
        solver_.propagate(threads, calling<uint64_t, uint64_t>(tick), check_signals);
    }
    [[nodiscard]] nb::bytes save_stage() const { return as_bytes(solver_.save_stage()); }
    void load_stage(const nb::bytes& bytes) {
        const Sole::Work work(sole_, "solver");
        solver_.load_stage(std::string(bytes.c_str(), bytes.size()));
    }
    [[nodiscard]] nb::bytes save(size_t part) const {
        if (part >= solver_.parts()) throw std::out_of_range("no such part");
        return as_bytes(solver_.save(part));
    }
    void load(size_t part, const nb::bytes& bytes) {
        const Sole::Work work(sole_, "solver");
        if (part >= solver_.parts()) throw std::out_of_range("no such part");
        solver_.load(part, std::string(bytes.c_str(), bytes.size()));
    }
    [[nodiscard]] nb::bytes values(int width, Slot first, Slot count) const {
        within("width", width, 1, int(sizeof(Value)));
        if (first > size_ || count > size_ - first) throw std::out_of_range("no such positions");
        return as_bytes(solver_.values(width, first, count));
    }
    [[nodiscard]] Summary summary(int threads) {
        const Sole::Work work(sole_, "solver");
        const Unlocked unlocked;
        return solver_.summary(threads, check_signals);
    }
    [[nodiscard]] std::vector<Slot> reachable_with(Value value, size_t most) const {
        return solver_.reachable_with(value, most);
    }
    [[nodiscard]] AuditReport recheck(int threads, nb::object done) {
        const Sole::Work work(sole_, "solver");
        const Unlocked unlocked;
        return solver_.recheck(threads, calling<size_t>(done), check_signals);
    }

    static void bind(nb::class_<PySolver>& c) {
        c.def_prop_ro("parts", &PySolver::parts)
            .def_prop_ro(
                "part", [](const PySolver&) { return Solver::PART; }, "The numbers of a part.")
            .def_prop_ro(
                "state", [](const PySolver&) { return sizeof(typename Solver::State); }, "The bytes of a state.")
            .def("expand", &PySolver::expand, "threads"_a, "tick"_a,
                 nb::sig("def expand(self, threads: int, tick: collections.abc.Callable[[int, int], object]) -> None"))
            .def("propagate", &PySolver::propagate, "threads"_a, "tick"_a,
                 nb::sig(
                     "def propagate(self, threads: int, tick: collections.abc.Callable[[int, int], object]) -> None"))
            .def("save_stage", &PySolver::save_stage)
            .def("load_stage", &PySolver::load_stage, "bytes"_a)
            .def("save", &PySolver::save, "part"_a)
            .def("load", &PySolver::load, "part"_a, "bytes"_a)
            .def("values", &PySolver::values, "width"_a, "first"_a, "count"_a)
            .def("summary", &PySolver::summary, "threads"_a)
            .def("reachable_with", &PySolver::reachable_with, "value"_a, "most"_a);
    }

 private:
    static nb::bytes as_bytes(const std::string& bytes) { return nb::bytes(bytes.data(), bytes.size()); }

    Slot size_;
    Solver solver_;
    Sole sole_;
};

template <class Index>
AuditReport py_audit(const PyIndex<Index>& index, const nb::bytes& values, int width, bool everything, uint32_t one_in,
                     uint64_t seed, int threads, nb::object done) {
    std::string_view all(values.c_str(), values.size());
    const Unlocked unlocked;
    return audit(*index.index(), all, width, everything, one_in, seed, threads, calling<size_t>(done), check_signals);
}

MovesReport py_check_moves(const PyRelativeIndex& index, uint64_t count, uint64_t seed, int threads, nb::object done) {
    const Unlocked unlocked;
    return check_moves(*index.index(), count, seed, threads, calling<size_t>(done), check_signals);
}

// A strategy, and the rules whose names of moves it is written in.
class PyStrategyCheck {
 public:
    PyStrategyCheck(std::shared_ptr<PyRules> rules, std::vector<Image> images, bool win)
        : rules_(std::move(rules)), check_(rules_->small(), rules_->names(), std::move(images), win) {}

    void add(const PyPosition& position, int plies, std::string move) {
        const Sole::Work work(sole_, "check");
        with_small(position, [&](const Position<SMALL>& small) { check_.add(small, plies, std::move(move)); });
    }
    [[nodiscard]] std::optional<std::pair<size_t, std::string>> run(int threads, nb::object done) {
        const Sole::Work work(sole_, "check");
        const Unlocked unlocked;
        const auto found = check_.run(threads, calling<size_t>(done), check_signals);
        if (!found) return {};
        return std::pair(found->entry, found->what);
    }

 private:
    std::shared_ptr<PyRules> rules_;
    StrategyCheck check_;
    Sole sole_;
};

}  // namespace

void bind_solve(nb::module_& m) {
    nb::class_<Summary>(m, "Summary", "The positions of a solved game by value, and the number of moves.")
        .def_ro("positions", &Summary::positions)
        .def_ro("reachable", &Summary::reachable)
        .def_ro("moves", &Summary::moves);
    nb::class_<AuditReport>(m, "AuditReport", "The result of an audit: the counts, and the numbers of wrong values.")
        .def_ro("positions", &AuditReport::positions)
        .def_ro("moves", &AuditReport::moves)
        .def_ro("wrong", &AuditReport::wrong);
    nb::class_<PyTableIndex> table_index(m, "TableIndex",
                                         "The dense numbering of the positions of a small game, for tables of solved "
                                         "games.");
    table_index.def(nb::init<std::shared_ptr<PyRules>, const PyPosition&, int, std::vector<Family>, bool>(), "rules"_a,
                    "start"_a, "single"_a, "families"_a, "mirror"_a);
    PyTableIndex::bind(table_index);
    using Count = RelativeIndex::ClassCount;
    nb::class_<PyRelativeIndex> relative_index(
        m, "RelativeIndex", "The numbering of the positions of a game by the relative place of the royal pieces.");
    relative_index
        .def(nb::init<std::shared_ptr<PyRules>, const PyPosition&, int, std::vector<Family>, std::vector<Symmetry>>(),
             "rules"_a, "start"_a, "single"_a, "families"_a, "symmetries"_a)
        .def(
            "class_counts",
            [](const PyRelativeIndex& index) {
                std::vector<std::array<uint64_t, 4>> found;
                for (const Count& one : index.index()->class_counts())
                    found.push_back({uint64_t(one.mine), uint64_t(one.theirs), one.all, one.supported});
                return found;
            },
            "For each class with numbers: the squares of the royal pieces, the arrangements that have a number, and "
            "those without stranded cubes.");
    PyRelativeIndex::bind(relative_index);

    using PyBoardSolver = PySolver<Solver>;
    nb::class_<PyBoardSolver> solver(
        m, "Solver", "Computes the values of all positions of an index, or of those that its start leads to.");
    solver.def(nb::init<const PyTableIndex&, bool>(), "index"_a, "everything"_a);
    PyBoardSolver::bind(solver);
    using PyRelativeSolver = PySolver<RelativeSolver>;
    nb::class_<PyRelativeSolver> relative_solver(
        m, "RelativeSolver", "Computes the values of all positions of an index of relative places.");
    relative_solver.def(nb::init<const PyRelativeIndex&>(), "index"_a)
        .def("recheck", &PyRelativeSolver::recheck, "threads"_a, "done"_a,
             nb::sig("def recheck(self, threads: int, done: collections.abc.Callable[[int], object]) -> AuditReport"));
    PyRelativeSolver::bind(relative_solver);

    nb::class_<MovesReport>(m, "MovesReport",
                            "The result of a check of moves and un-moves: counts, and the numbers of positions for "
                            "which it failed.")
        .def_ro("positions", &MovesReport::positions)
        .def_ro("stranded", &MovesReport::stranded)
        .def_ro("moves", &MovesReport::moves)
        .def_ro("unmoves", &MovesReport::unmoves)
        .def_ro("wrong", &MovesReport::wrong);
    m.def("check_moves", &py_check_moves, "index"_a, "count"_a, "seed"_a, "threads"_a, "done"_a,
          nb::sig("def check_moves(index: RelativeIndex, count: int, seed: int, threads: int, "
                  "done: collections.abc.Callable[[int], object]) -> MovesReport"));

    nb::class_<PyStrategyCheck> strategy_check(
        m, "StrategyCheck", "Checks the entries of a certificate by the generic path of the generator.");
    strategy_check.def(nb::init<std::shared_ptr<PyRules>, std::vector<Image>, bool>(), "rules"_a, "images"_a, "win"_a)
        .def("add", &PyStrategyCheck::add, "position"_a, "plies"_a, "move"_a,
             "Adds an entry. Raises ValueError if there is one for that position.")
        .def("run", &PyStrategyCheck::run, "threads"_a, "done"_a,
             "The number of the first entry with a fault, and the fault. `done` is called for each `entries` entries.",
             nb::sig("def run(self, threads: int, done: collections.abc.Callable[[int], object]) "
                     "-> tuple[int, str] | None"))
        .def_prop_ro_static(
            "entries", [](nb::handle) { return StrategyCheck::ENTRIES; }, "The entries between two calls of `done`.");

    auto bind_audit = [&](auto function, const char* index) {
        m.def("audit", function, "index"_a, "values"_a, "width"_a, "everything"_a, "one_in"_a, "seed"_a, "threads"_a,
              "done"_a, nb::sig(index));
    };
    bind_audit(&py_audit<TableIndex>,
               "def audit(index: TableIndex, values: bytes, width: int, everything: bool, one_in: int, seed: int, "
               "threads: int, done: collections.abc.Callable[[int], object]) -> AuditReport");
    bind_audit(&py_audit<RelativeIndex>,
               "def audit(index: RelativeIndex, values: bytes, width: int, everything: bool, one_in: int, seed: int, "
               "threads: int, done: collections.abc.Callable[[int], object]) -> AuditReport");
}

}  // namespace komadai
