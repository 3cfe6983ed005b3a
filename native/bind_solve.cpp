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
    PyTableIndex(std::shared_ptr<PyRules> rules, const PyPosition& start, std::vector<Family> families, bool mirror)
        : rules_(std::move(rules)) {
        const Position<SMALL>& from = small(start);
        index_ = std::make_shared<const TableIndex>(std::get<std::shared_ptr<const Rules<SMALL>>>(rules_->any()), from,
                                                    std::move(families), mirror);
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
    explicit PySolver(const PyTableIndex& index) : solver_(index.index(), index.start()) {}

    [[nodiscard]] size_t parts() const { return solver_.parts(); }
    void expand(int threads, nb::object done) {
        nb::gil_scoped_release release;
        solver_.expand(threads, calling<size_t>(done), check_signals);
    }
    [[nodiscard]] nb::bytes save(size_t part) const {
        if (part >= solver_.parts() || !solver_.has_part(part)) throw std::out_of_range("no such part");
        std::string bytes = solver_.save(part);
        return nb::bytes(bytes.data(), bytes.size());
    }
    void load(size_t part, const nb::bytes& bytes) {
        if (part >= solver_.parts()) throw std::out_of_range("no such part");
        solver_.load(part, std::string(bytes.c_str(), bytes.size()));
    }
    void propagate(int threads, nb::object wave) {
        nb::gil_scoped_release release;
        solver_.propagate(threads, calling<int, uint64_t, uint64_t>(wave), check_signals);
    }
    [[nodiscard]] nb::bytes values(int width) const {
        std::string bytes = solver_.values(width);
        return nb::bytes(bytes.data(), bytes.size());
    }
    [[nodiscard]] const Summary& summary() const { return solver_.summary(); }
    [[nodiscard]] std::vector<Slot> reachable_with(Value value, size_t most) const {
        return solver_.reachable_with(value, most);
    }

 private:
    Solver solver_;
};

AuditReport py_audit(const PyTableIndex& index, const nb::bytes& values, int width, uint32_t one_in, uint64_t seed,
                     int threads, nb::object done) {
    std::string_view all(values.c_str(), values.size());
    nb::gil_scoped_release release;
    return audit(*index.index(), all, width, one_in, seed, threads, calling<size_t>(done), check_signals);
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
        .def(nb::init<std::shared_ptr<PyRules>, const PyPosition&, std::vector<Family>, bool>(), "rules"_a, "start"_a,
             "families"_a, "mirror"_a)
        .def_prop_ro("size", &PyTableIndex::size, "The number of positions; they are numbered from 0.")
        .def_prop_ro("main", &PyTableIndex::main, "The number of those with every royal piece on the board.")
        .def("find", &PyTableIndex::find, "position"_a, "The number of a position, or -1.")
        .def("position", &PyTableIndex::position, "slot"_a, "The position of that number, Black to move.")
        .def("counts", &PyTableIndex::counts, "slot"_a, "True if the position can be played and is no mirror image.")
        .def("is_image", &PyTableIndex::is_image, "slot"_a,
             "True if the position is the mirror image of one with a smaller number.");

    nb::class_<PySolver>(m, "Solver", "Computes the values of all positions of an index.")
        .def(nb::init<const PyTableIndex&>(), "index"_a)
        .def_prop_ro("parts", &PySolver::parts)
        .def("expand", &PySolver::expand, "threads"_a, "done"_a,
             nb::sig("def expand(self, threads: int, done: collections.abc.Callable[[int], object]) -> None"))
        .def("save", &PySolver::save, "part"_a)
        .def("load", &PySolver::load, "part"_a, "bytes"_a)
        .def("propagate", &PySolver::propagate, "threads"_a, "wave"_a,
             nb::sig("def propagate(self, threads: int, wave: collections.abc.Callable[[int, int, int], object]) "
                     "-> None"))
        .def("values", &PySolver::values, "width"_a)
        .def("summary", &PySolver::summary, nb::rv_policy::copy)
        .def("reachable_with", &PySolver::reachable_with, "value"_a, "most"_a);

    m.def("audit", &py_audit, "index"_a, "values"_a, "width"_a, "one_in"_a, "seed"_a, "threads"_a, "done"_a,
          nb::sig("def audit(index: TableIndex, values: bytes, width: int, one_in: int, seed: int, threads: int, "
                  "done: collections.abc.Callable[[int], object]) -> AuditReport"));
}

}  // namespace komadai
