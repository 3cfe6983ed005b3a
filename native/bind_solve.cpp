// The bindings of solved games.
#include "bind.hpp"
#include "solve.hpp"

namespace komadai {
namespace {

const Position<SMALL>& small(const PyPosition& position) {
    if (const auto* found = std::get_if<Position<SMALL>>(&position.any())) return *found;
    throw std::invalid_argument("the board is too large for an index");
}

// The index of a small game's positions; immutable, so threads may share it.
class PyTableIndex {
 public:
    PyTableIndex(std::shared_ptr<PyRules> rules, const PyPosition& start, int single, std::vector<Family> families,
                 bool mirror)
        : rules_(std::move(rules)) {
        const Position<SMALL>& from = small(start);
        index_ = std::make_shared<const TableIndex>(std::get<std::shared_ptr<const Rules<SMALL>>>(rules_->any()), from,
                                                    single, std::move(families), mirror);
        start_ = index_->find(from);
    }
    [[nodiscard]] std::shared_ptr<const TableIndex> index() const { return index_; }
    [[nodiscard]] Slot start() const { return start_; }
    [[nodiscard]] Slot size() const { return index_->size(); }
    [[nodiscard]] Slot main() const { return index_->main(); }
    int64_t find(const PyPosition& position) const {
        Slot slot = index_->find(small(position));
        return slot == NO_SLOT ? -1 : int64_t(slot);
    }
    // The numbers of the positions before one that has a number, by un-moves; some may be no legal positions.
    std::vector<int64_t> before(const PyPosition& position) const {
        std::vector<int64_t> found;
        Position<SMALL> from = index_->blank();
        index_->set_up(index_->find(small(position)), from);
        Unmoves<SMALL>(*index_->rules()).each(from, [&](Move) {
            if (const Slot slot = index_->find(from); slot != NO_SLOT) found.push_back(slot);
        });
        return found;
    }
    PyPosition position(Slot slot) const { return PyPosition(rules_, set_up(slot)); }
    bool counts(Slot slot) const { return index_->counts(slot, set_up(slot)); }
    bool is_image(Slot slot) const { return index_->is_image(slot, set_up(slot)); }

 private:
    [[nodiscard]] Position<SMALL> set_up(Slot slot) const {
        if (slot >= index_->size()) throw std::out_of_range("no such position");
        auto position = index_->blank();
        index_->set_up(slot, position);
        return position;
    }

    std::shared_ptr<PyRules> rules_;
    std::shared_ptr<const TableIndex> index_;
    Slot start_;
};

// A callback into Python from work that has released the GIL.
template <class... Args>
auto calling(const nb::object& report) {
    return [&report](Args... args) {
        nb::gil_scoped_acquire acquire;
        report(args...);
    };
}

class PySolver {
 public:
    PySolver(const PyTableIndex& index, bool everything) : solver_(index.index(), index.start(), everything) {}

    [[nodiscard]] size_t parts() const { return solver_.parts(); }
    void expand(int threads, nb::object tick) {
        nb::gil_scoped_release release;
        solver_.expand(threads, calling<uint64_t, uint64_t>(tick), check_signals);
    }
    void propagate(int threads, nb::object tick) {
        nb::gil_scoped_release release;
        solver_.propagate(threads, calling<uint64_t, uint64_t>(tick), check_signals);
    }
    [[nodiscard]] nb::bytes save_stage() const { return as_bytes(solver_.save_stage()); }
    void load_stage(const nb::bytes& bytes) { solver_.load_stage(std::string(bytes.c_str(), bytes.size())); }
    [[nodiscard]] nb::bytes save(size_t part) const {
        if (part >= solver_.parts()) throw std::out_of_range("no such part");
        return as_bytes(solver_.save(part));
    }
    void load(size_t part, const nb::bytes& bytes) {
        if (part >= solver_.parts()) throw std::out_of_range("no such part");
        solver_.load(part, std::string(bytes.c_str(), bytes.size()));
    }
    [[nodiscard]] nb::bytes values(int width, Slot first, Slot count) const {
        return as_bytes(solver_.values(width, first, count));
    }
    [[nodiscard]] Summary summary(int threads) {
        nb::gil_scoped_release release;
        return solver_.summary(threads, check_signals);
    }
    [[nodiscard]] std::vector<Slot> reachable_with(Value value, size_t most) const {
        return solver_.reachable_with(value, most);
    }

 private:
    static nb::bytes as_bytes(const std::string& bytes) { return nb::bytes(bytes.data(), bytes.size()); }

    Solver solver_;
};

AuditReport py_audit(const PyTableIndex& index, const nb::bytes& values, int width, bool everything, uint32_t one_in,
                     uint64_t seed, int threads, nb::object done) {
    std::string_view all(values.c_str(), values.size());
    nb::gil_scoped_release release;
    return audit(*index.index(), all, width, everything, one_in, seed, threads, calling<size_t>(done), check_signals);
}

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
    nb::class_<PyTableIndex>(m, "TableIndex",
                             "The dense numbering of the positions of a small game, for tables of solved games.")
        .def(nb::init<std::shared_ptr<PyRules>, const PyPosition&, int, std::vector<Family>, bool>(), "rules"_a,
             "start"_a, "single"_a, "families"_a, "mirror"_a)
        .def_prop_ro("size", &PyTableIndex::size, "The number of positions; they are numbered from 0.")
        .def_prop_ro("main", &PyTableIndex::main, "The number of those with every royal piece on the board.")
        .def("find", &PyTableIndex::find, "position"_a, "The number of a position, or -1.")
        .def("before", &PyTableIndex::before, "position"_a,
             "The numbers of the positions from which a move leads to one that has a number, by un-moves.")
        .def("position", &PyTableIndex::position, "slot"_a, "The position of that number, Black to move.")
        .def("counts", &PyTableIndex::counts, "slot"_a, "True if the position can be played and is no mirror image.")
        .def("is_image", &PyTableIndex::is_image, "slot"_a,
             "True if the position is the mirror image of one with a smaller number.");

    nb::class_<PySolver>(m, "Solver",
                         "Computes the values of all positions of an index, or of those that its start leads to.")
        .def(nb::init<const PyTableIndex&, bool>(), "index"_a, "everything"_a)
        .def_prop_ro("parts", &PySolver::parts)
        .def_prop_ro(
            "part", [](const PySolver&) { return Solver::PART; }, "The numbers of a part.")
        .def("expand", &PySolver::expand, "threads"_a, "tick"_a,
             nb::sig("def expand(self, threads: int, tick: collections.abc.Callable[[int, int], object]) -> None"))
        .def("propagate", &PySolver::propagate, "threads"_a, "tick"_a,
             nb::sig("def propagate(self, threads: int, tick: collections.abc.Callable[[int, int], object]) -> None"))
        .def("save_stage", &PySolver::save_stage)
        .def("load_stage", &PySolver::load_stage, "bytes"_a)
        .def("save", &PySolver::save, "part"_a)
        .def("load", &PySolver::load, "part"_a, "bytes"_a)
        .def("values", &PySolver::values, "width"_a, "first"_a, "count"_a)
        .def("summary", &PySolver::summary, "threads"_a)
        .def("reachable_with", &PySolver::reachable_with, "value"_a, "most"_a);

    m.def("audit", &py_audit, "index"_a, "values"_a, "width"_a, "everything"_a, "one_in"_a, "seed"_a, "threads"_a,
          "done"_a,
          nb::sig("def audit(index: TableIndex, values: bytes, width: int, everything: bool, one_in: int, seed: int, "
                  "threads: int, done: collections.abc.Callable[[int], object]) -> AuditReport"));
}

}  // namespace komadai
