// The bindings of search, mates and forced wins.
#include "bind_evaluation.hpp"
#include "forced_win.hpp"
#include "mate.hpp"
#include "search.hpp"
#include "search_numbers.hpp"
#include "tsume.hpp"

#ifdef KOMADAI_TUNING
#include <nanobind/stl/map.h>
#endif

namespace komadai {
namespace {

// A line of a search report, with the moves of Python.
struct PyLine {
    int score;
    nb::list moves;
};

struct PyReport {
    int depth, seldepth;
    uint64_t nodes;
    double seconds;
    int hashfull;
    std::vector<PyLine> lines;
};

struct PyMateReport {
    Verdict verdict;
    nb::list line;
    bool shortest;
    uint64_t nodes;
    double seconds;
};
struct PyLengthReport {
    int plies;
    nb::list line;
    uint64_t nodes;
    double seconds;
};

// A searcher with its memory. search() works on a copy with the GIL released; stop() may come from any thread.
class PySearcher {
    template <int W>
    using Owned = std::unique_ptr<Search<W>>;

 public:
    PySearcher(const PyEvaluation& evaluation, size_t megabytes, int threads)
        : evaluation_(evaluation.any()),
          megabytes_(within("megabytes", megabytes, size_t(1), size_t(MAX_MEGABYTES))),
          threads_(within("threads", threads, 1, MAX_THREADS)),
          search_(made()) {}

    // Calls `report` after every completed depth, and returns the last report.
    PyReport search(PyPosition& position, int depth, uint64_t nodes, double seconds, double soft, int lines,
                    const std::vector<std::pair<uint64_t, uint64_t>>& only, bool ponder, nb::object report) {
        within("depth", depth, 1, MAX_PLY - 1);
        within("lines", lines, 1, INT_MAX);
        renew();
        const Sole::Work work(sole_, "engine");
        const Idle idle{*this};
        control_.pondering = ponder && !hit_;
        Limits limits{depth, nodes, seconds, soft, lines, {}};
        for (auto [code, trail] : only) limits.only.push_back(Move::from_code(code, trail));
        auto convert = [&](const Report& r) {
            PyReport out{r.depth, r.seldepth, r.nodes, r.seconds, r.hashfull, {}};
            for (const Line& line : r.lines) out.lines.push_back({line.score, position.python_moves(line.moves)});
            return out;
        };
        Report last;
        std::visit(
            [&]<int W>(Owned<W>& search) {
                const auto* p = std::get_if<Position<W>>(&position.any());
                if (p == nullptr) throw std::invalid_argument("a position of other rules");
                const Position<W> copy = *p;  // before other threads may change it
                const Unlocked unlocked;
                last = search->run(
                    copy, limits, control_,
                    [&](const Report& r) {
                        if (report.is_none()) return;
                        const Locked locked;
                        const PyReport converted = convert(r);
                        in_python([&] { report(converted); });
                    },
                    check_signals);
            },
            search_);
        return convert(last);
    }
    void stop() {
        if (busy()) control_.stop = true;
    }
    // The expected move was played: time limits count from now on.
    void ponderhit() {
        hit_ = busy();
        control_.pondering = false;
    }
    void clear() {
        renew();
        if (!busy()) std::visit([](auto& search) { search->clear(); }, search_);
    }

 private:
    using Any = OfAnySize<Owned>;
    struct Idle {
        PySearcher& searcher;
        ~Idle() { searcher.control_.stop = searcher.control_.pondering = searcher.hit_ = false; }
    };

    [[nodiscard]] Any made() const {
        return std::visit(
            [&]<int W>(const std::shared_ptr<const Evaluation<W>>& evaluation) -> Any {
                return std::make_unique<Search<W>>(evaluation, megabytes_, threads_);
            },
            evaluation_);
    }
    [[nodiscard]] bool busy() const { return sole_.busy() && !sole_.lost(); }
    // In the child of a fork, what a thread of the parent was searching with is left alone.
    void renew() {
        if (!sole_.lost()) return;
        Any fresh = made();
        std::visit([](auto& search) { (void)search.release(); }, search_);
        search_ = std::move(fresh);
        const Idle idle{*this};
        sole_.renew();
    }

    PyEvaluation::Any evaluation_;
    size_t megabytes_;
    int threads_;
    Any search_;
    Control control_;
    std::atomic<bool> hit_{false};
    Sole sole_;
};

// A solver of mates. solve() and length() work on a copy with the GIL released; stop() may come from any thread, and
// ends what runs, or begins after it, until begin().
class PyMateSolver {
 public:
    explicit PyMateSolver(size_t megabytes)
        : megabytes_(within("megabytes", megabytes, size_t(1), size_t(MAX_MEGABYTES))) {}

    PyMateReport solve(PyPosition& position, uint64_t nodes, double seconds, bool shortest) {
        MateReport report;
        work([&] {
            if (!table_) table_ = std::make_unique<MateTable>(megabytes_);
            std::visit(
                [&]<int W>(const Position<W>& p) {
                    MateSearch<W> search(p, *table_, stop_, check_signals);  // copies it before other threads change it
                    const Unlocked unlocked;
                    report = search.run({nodes, seconds, shortest});
                },
                position.any());
        });
        return {report.verdict, position.python_moves(report.line), report.shortest, report.nodes, report.seconds};
    }
    PyLengthReport length(PyPosition& position, int most, uint64_t nodes, double seconds) {
        within("most", most, 0, MOST_PLIES);
        LengthReport report;
        work([&] {
            if (!lengths_) lengths_ = std::make_unique<LengthTable>(megabytes_);
            std::visit(
                [&]<int W>(const Position<W>& p) {
                    LengthSearch<W> search(p, *lengths_, stop_, check_signals);
                    const Unlocked unlocked;
                    report = search.run(most, {nodes, seconds});
                },
                position.any());
        });
        return {report.plies, position.python_moves(report.line), report.nodes, report.seconds};
    }
    void begin() { stop_ = false; }
    void stop() { stop_ = true; }

 private:
    template <class Do>
    void work(Do do_it) {
        if (sole_.lost()) {  // in the child of a fork, the tables of a thread of the parent are left alone
            (void)table_.release();
            (void)lengths_.release();
            sole_.renew();
        }
        const Sole::Work work(sole_, "solver");
        do_it();
    }

    static constexpr int MOST_PLIES = LengthTable::NEVER - 1;

    size_t megabytes_;
    std::unique_ptr<MateTable> table_;      // made on first use
    std::unique_ptr<LengthTable> lengths_;  // likewise
    std::atomic<bool> stop_{false};
    Sole sole_;
};

struct PyForcedWinReport {
    bool known;
    int turns;
    nb::list firsts, line;
    uint64_t nodes;
};

// A search for a forced win on a copy of the position, with the GIL released.
template <class Do>
PyForcedWinReport forced_win(PyPosition& position, uint64_t nodes, Do search) {
    ForcedWinReport report;
    std::visit(
        [&]<int W>(const Position<W>& p) {
            ForcedWinSearch<W> made(p, nodes, check_signals);
            const Unlocked unlocked;
            report = search(made);
        },
        position.any());
    return {report.known, report.turns, position.python_moves(report.firsts), position.python_moves(report.line),
            report.nodes};
}
PyForcedWinReport py_attack(PyPosition& position, int turns, uint64_t nodes, bool every) {
    within("turns", turns, 0, MAX_PLY);
    return forced_win(position, nodes, [&](auto& search) { return search.attack(turns, every); });
}
PyForcedWinReport py_defend(PyPosition& position, int turns, uint64_t nodes) {
    within("turns", turns, 0, MAX_PLY);
    return forced_win(position, nodes, [&](auto& search) { return search.defend(turns); });
}

#ifdef KOMADAI_TUNING
// The numbers of tools/spsa.py. They are set while nothing searches; a searcher made before keeps its reductions and
// its first window.
SearchNumbers& search_numbers(const PyRules& rules) {
    return std::visit([](const auto& r) { return r->is_compound; }, rules.any()) ? COMPOUND_NUMBERS : ROYAL_NUMBERS;
}
void bind_search_numbers(nb::module_& m) {
    m.def("search_numbers", [](const PyRules& rules) {
        std::vector<std::tuple<std::string, int, int, int>> all;
        for (const auto& [name, value, least, greatest] : EACH_SEARCH_NUMBER)
            all.emplace_back(name, search_numbers(rules).*value, least, greatest);
        return all;
    });
    m.def("set_search_numbers", [](const PyRules& rules, const std::map<std::string, int>& values) {
        for (const auto& [name, value] : values) {
            const auto found = std::ranges::find(EACH_SEARCH_NUMBER, name, &SearchNumber::name);
            if (found == EACH_SEARCH_NUMBER.end()) throw std::invalid_argument("no number of the search: " + name);
            if (value < found->least || value > found->greatest)
                throw std::invalid_argument(name + " is " + std::to_string(value) + "; expected " +
                                            std::to_string(found->least) + " to " + std::to_string(found->greatest));
            search_numbers(rules).*found->value = value;
        }
    });
}
#endif
}  // namespace

void bind_search(nb::module_& m) {
    nb::enum_<Verdict>(m, "Verdict", "The result of a search for a mate.")
        .value("UNKNOWN", Verdict::UNKNOWN)
        .value("MATE", Verdict::MATE)
        .value("NO_MATE", Verdict::NO_MATE);
    nb::class_<PyLine>(m, "Line", "A line of a search report.")
        .def_ro("score", &PyLine::score)
        .def_ro("moves", &PyLine::moves, nb::for_getter(nb::sig("def moves(self) -> list[komadai.spec.move.Move]")));
    nb::class_<PyReport>(m, "Report", "A report of a search, best line first.")
        .def_ro("depth", &PyReport::depth)
        .def_ro("seldepth", &PyReport::seldepth)
        .def_ro("nodes", &PyReport::nodes)
        .def_ro("seconds", &PyReport::seconds)
        .def_ro("hashfull", &PyReport::hashfull)
        .def_ro("lines", &PyReport::lines);
    nb::class_<PyMateReport>(m, "MateReport", "The result of a search for a mate.")
        .def_ro("verdict", &PyMateReport::verdict)
        .def_ro("line", &PyMateReport::line, nb::for_getter(nb::sig("def line(self) -> list[komadai.spec.move.Move]")))
        .def_ro("shortest", &PyMateReport::shortest)
        .def_ro("nodes", &PyMateReport::nodes)
        .def_ro("seconds", &PyMateReport::seconds);
    nb::class_<PyLengthReport>(m, "LengthReport", "The length of a mate, or 0 plies, and a line of that length.")
        .def_ro("plies", &PyLengthReport::plies)
        .def_ro("line", &PyLengthReport::line,
                nb::for_getter(nb::sig("def line(self) -> list[komadai.spec.move.Move]")))
        .def_ro("nodes", &PyLengthReport::nodes)
        .def_ro("seconds", &PyLengthReport::seconds);
    nb::class_<PyForcedWinReport>(m, "ForcedWinReport", "The result of a search for a forced win.")
        .def_ro("known", &PyForcedWinReport::known)
        .def_ro("turns", &PyForcedWinReport::turns)
        .def_ro("firsts", &PyForcedWinReport::firsts,
                nb::for_getter(nb::sig("def firsts(self) -> list[komadai.spec.move.Move]")))
        .def_ro("line", &PyForcedWinReport::line,
                nb::for_getter(nb::sig("def line(self) -> list[komadai.spec.move.Move]")))
        .def_ro("nodes", &PyForcedWinReport::nodes);

    nb::class_<PySearcher>(m, "Searcher", "A search with its own transposition table and threads.")
        .def(nb::init<const PyEvaluation&, size_t, int>(), "evaluation"_a, "megabytes"_a, "threads"_a = 1)
        .def("search", &PySearcher::search, "position"_a, "depth"_a, "nodes"_a, "seconds"_a, "soft"_a, "lines"_a,
             "only"_a, "ponder"_a, "report"_a.none(),
             nb::sig("def search(self, position: Position, depth: int, nodes: int, seconds: float, soft: float, "
                     "lines: int, only: list[tuple[int, int]], ponder: bool, "
                     "report: collections.abc.Callable[[Report], object] | None) -> Report"))
        .def("stop", &PySearcher::stop)
        .def("ponderhit", &PySearcher::ponderhit)
        .def("clear", &PySearcher::clear);

    nb::class_<PyMateSolver>(m, "MateSolver", "A search for mates by checks alone, with a table of its own.")
        .def(nb::init<size_t>(), "megabytes"_a)
        .def("solve", &PyMateSolver::solve, "position"_a, "nodes"_a, "seconds"_a, "shortest"_a = true)
        .def("length", &PyMateSolver::length, "position"_a, "most"_a, "nodes"_a, "seconds"_a,
             "The shortest mate of at most so many plies by the conventions of problems, or 0 plies.")
        .def("begin", &PyMateSolver::begin, "Forgets an earlier stop.")
        .def("stop", &PyMateSolver::stop, "Ends soon what runs, and all that follows until `begin`.");

    m.def("attack", &py_attack, "position"_a, "turns"_a, "nodes"_a, "every"_a,
          "Whether the side to move wins within so many of its turns, and with which first one.");
    m.def("defend", &py_defend, "position"_a, "turns"_a, "nodes"_a,
          "Whether the side to move escapes from a loss within so many turns of its opponent.");
#ifdef KOMADAI_TUNING
    bind_search_numbers(m);
#endif
}

}  // namespace komadai
