// The Python bindings of the core: conversions and locks, no rules.
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

#include <algorithm>
#include <exception>
#include <new>
#include <sstream>

#include "any_position.hpp"
#include "forced_win.hpp"
#include "mate.hpp"
#include "search.hpp"
#include "solve.hpp"
#include "tsume.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace komadai {
namespace {

// Throws the exception of a pending signal, such as KeyboardInterrupt. To be called without the GIL.
void check_signals() {
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

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
    int winner_on_board() {
        return with([](auto& position) {
            const Outcome end = position.outcome_on_board();
            return end.end == End::NONE ? -1 : end.winner;
        });
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

// The evaluation of a variant with its weights, immutable and shared by searchers.
class PyEvaluation {
 public:
    template <int W>
    using Shared = std::shared_ptr<const Evaluation<W>>;
    using Any = std::variant<Shared<SMALL>, Shared<MEDIUM>, Shared<LARGE>>;

    PyEvaluation(const PyRules& rules, const nb::object& weights)
        : evaluation_(std::visit(
              [&]<int W>(const std::shared_ptr<const Rules<W>>& r) -> Any {
                  auto made = std::make_shared<Evaluation<W>>(r);
                  if (!weights.is_none()) made->load(nb::cast<std::vector<int>>(weights));
                  return Shared<W>(made);
              },
              rules.any())) {}

    [[nodiscard]] std::vector<Block> blocks() const {
        return std::visit([](const auto& evaluation) { return evaluation->blocks(); }, evaluation_);
    }
    template <class Do>
    auto with(const PyPosition& position, Do do_it) const {
        return std::visit(
            [&]<int W>(const Shared<W>& evaluation) {
                const auto* p = std::get_if<Position<W>>(&position.any());
                if (p == nullptr || p->rules().info.size() != evaluation->rules()->info.size() ||
                    p->rules().points != evaluation->rules()->points)
                    throw std::invalid_argument("a position of other rules");
                return do_it(*evaluation, *p);
            },
            evaluation_);
    }
    [[nodiscard]] int score(const PyPosition& position) const {
        return with(position, [](const auto& evaluation, const auto& p) { return evaluation.score(p); });
    }
    [[nodiscard]] std::vector<std::pair<int, int>> terms(const PyPosition& position) const {
        return with(position, [](const auto& evaluation, const auto& p) { return evaluation.terms(p); });
    }

    [[nodiscard]] const Any& any() const { return evaluation_; }

 private:
    Any evaluation_;
};

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
        : search_(std::visit([&]<int W>(const std::shared_ptr<const Evaluation<W>>& e)
                                 -> Any { return std::make_unique<Search<W>>(e, megabytes, threads); },
                             evaluation.any())) {}

    // Calls `report` after every completed depth, and returns the last report.
    PyReport search(PyPosition& position, int depth, uint64_t nodes, double seconds, double soft, int lines,
                    const std::vector<std::pair<uint64_t, uint64_t>>& only, bool ponder, nb::object report) {
        if (busy_.exchange(true)) throw std::runtime_error("this engine is already searching; stop it first");
        struct Idle {
            PySearcher& searcher;
            ~Idle() { searcher.busy_ = searcher.control_.stop = searcher.control_.pondering = searcher.hit_ = false; }
        } idle{*this};
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
                nb::gil_scoped_release release;
                last = search->run(
                    copy, limits, control_,
                    [&](const Report& r) {
                        if (report.is_none()) return;
                        nb::gil_scoped_acquire acquire;
                        report(convert(r));
                    },
                    check_signals);
            },
            search_);
        return convert(last);
    }
    void stop() {
        if (busy_) control_.stop = true;
    }
    // The expected move was played: time limits count from now on.
    void ponderhit() {
        hit_ = busy_.load();
        control_.pondering = false;
    }
    void clear() {
        if (!busy_) std::visit([](auto& search) { search->clear(); }, search_);
    }

 private:
    using Any = std::variant<Owned<SMALL>, Owned<MEDIUM>, Owned<LARGE>>;
    Any search_;
    Control control_;
    std::atomic<bool> busy_{false}, hit_{false};
};

const Position<SMALL>& small(const PyPosition& position) {
    if (const auto* found = std::get_if<Position<SMALL>>(&position.any())) return *found;
    throw std::invalid_argument("the board is too large for an index");
}

// A solver of mates. solve() works on a copy with the GIL released; stop() may come from any thread.
class PyMateSolver {
 public:
    explicit PyMateSolver(size_t megabytes) : megabytes_(megabytes) {}

    PyMateReport solve(PyPosition& position, uint64_t nodes, double seconds, bool shortest) {
        MateReport report;
        work([&] {
            if (!table_) table_.emplace(megabytes_);
            std::visit(
                [&]<int W>(const Position<W>& p) {
                    MateSearch<W> search(p, *table_, stop_, check_signals);  // copies it before other threads change it
                    nb::gil_scoped_release release;
                    report = search.run({nodes, seconds, shortest});
                },
                position.any());
        });
        return {report.verdict, position.python_moves(report.line), report.shortest, report.nodes, report.seconds};
    }
    PyLengthReport length(PyPosition& position, int most, uint64_t nodes, double seconds) {
        LengthReport report;
        work([&] {
            if (!lengths_) lengths_.emplace(megabytes_);
            std::visit(
                [&]<int W>(const Position<W>& p) {
                    LengthSearch<W> search(p, *lengths_, stop_, check_signals);
                    nb::gil_scoped_release release;
                    report = search.run(most, {nodes, seconds});
                },
                position.any());
        });
        return {report.plies, position.python_moves(report.line), report.nodes, report.seconds};
    }
    void stop() {
        if (busy_) stop_ = true;
    }

 private:
    template <class Do>
    void work(Do do_it) {
        if (busy_.exchange(true)) throw std::runtime_error("this solver is already at work; stop it first");
        struct Idle {
            PyMateSolver& solver;
            ~Idle() { solver.busy_ = solver.stop_ = false; }
        } idle{*this};
        do_it();
    }

    size_t megabytes_;
    std::optional<MateTable> table_;      // made on first use
    std::optional<LengthTable> lengths_;  // likewise
    std::atomic<bool> stop_{false}, busy_{false};
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
            nb::gil_scoped_release release;
            report = search(made);
        },
        position.any());
    return {report.known, report.turns, position.python_moves(report.firsts), position.python_moves(report.line),
            report.nodes};
}
PyForcedWinReport py_attack(PyPosition& position, int turns, uint64_t nodes, bool every) {
    return forced_win(position, nodes, [&](auto& search) { return search.attack(turns, every); });
}
PyForcedWinReport py_defend(PyPosition& position, int turns, uint64_t nodes) {
    return forced_win(position, nodes, [&](auto& search) { return search.defend(turns); });
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

// Rule tables and a position as text, for komadai_perft.
std::string as_text(const RuleTables& tables, int side_to_move, std::vector<int> board,
                    std::array<std::vector<int>, 2> hands) {
    std::ostringstream out;
    write_text(out, tables);
    write_text(out, PositionTable{side_to_move, std::move(board), std::move(hands)});
    return out.str();
}

void bind_enums(nb::module_& m) {
    nb::enum_<Condition>(m, "Condition", "The conditions that need a live position, cheapest first.")
        .value("ON_FILE", Condition::ON_FILE)
        .value("IN_HAND", Condition::IN_HAND)
        .value("CAPTURES", Condition::CAPTURES)
        .value("NEAR", Condition::NEAR)
        .value("SUPPORTED", Condition::SUPPORTED)
        .value("BEYOND_SUPPORT", Condition::BEYOND_SUPPORT)
        .value("GIVES_CHECK", Condition::GIVES_CHECK)
        .value("MATES", Condition::MATES)
        .value("HAS", Condition::HAS)
        .value("IN_SIGHT", Condition::IN_SIGHT)
        .value("STANDS", Condition::STANDS);
    nb::enum_<Event>(m, "Event", "When a rule applies.")
        .value("DROPS", Event::DROPS)
        .value("LANDS", Event::LANDS)
        .value("TURN_END", Event::TURN_END)
        .value("TURN_START", Event::TURN_START)
        .value("ARRIVES", Event::ARRIVES)
        .value("SHOOTS", Event::SHOOTS)
        .value("BECAME", Event::BECAME)
        .value("AT_ALL_TIMES", Event::AT_ALL_TIMES);
    nb::enum_<Action>(m, "Action", "The effect of a rule on a compound move.")
        .value("FORBID", Action::FORBID)
        .value("IMMOBILIZE", Action::IMMOBILIZE)
        .value("BECOME", Action::BECOME)
        .value("REMOVE", Action::REMOVE);
    nb::enum_<StandingShot>(m, "StandingShot", "Shots of a piece from its place, without a landing.")
        .value("NEVER", StandingShot::NEVER)
        .value("ONLY", StandingShot::ONLY)
        .value("MAY", StandingShot::MAY);
    nb::enum_<End>(m, "End", "How a game ended by its rules.")
        .value("NONE", End::NONE)
        .value("CHECKMATE", End::CHECKMATE)
        .value("STALEMATE", End::STALEMATE)
        .value("REPETITION", End::REPETITION)
        .value("PERPETUAL_CHECK", End::PERPETUAL_CHECK)
        .value("EXTINCTION", End::EXTINCTION)
        .value("GOAL", End::GOAL);
    nb::enum_<Verdict>(m, "Verdict", "The result of a search for a mate.")
        .value("UNKNOWN", Verdict::UNKNOWN)
        .value("MATE", Verdict::MATE)
        .value("NO_MATE", Verdict::NO_MATE);
}

void bind_tables(nb::module_& m) {
    bind_record<Term>(m, "Term", "One condition of a conjunction.");
    bind_record<Change>(m, "Change", "One possible result of a move.");
    bind_record<NearTable>(m, "NearTable", "The pieces that a condition NEAR looks for.");
    bind_record<RuleTable>(m, "RuleTable", "One conjunction that forbids moves.");
    bind_record<StandsTable>(m, "StandsTable", "The pieces and the region that a condition STANDS looks for.");
    bind_record<SightTable>(m, "SightTable", "The pieces that a condition IN_SIGHT looks from.");
    bind_record<CompoundRuleTable>(m, "CompoundRuleTable", "One conjunction about compound moves.");
    bind_record<WalkTable>(m, "WalkTable", "A move of several leaps.");
    bind_record<ShotTable>(m, "ShotTable", "The shots of a piece.");
    bind_record<DependencyTable>(m, "DependencyTable", "Pieces that are worth more beside others.");
    bind_record<CompoundTables>(m, "CompoundTables", "The tables of a game of compound moves.");
    bind_record<RuleTables>(m, "RuleTables", "The tables of a variant.");
    bind_record<Family>(m, "Family", "Kinds that promote or demote to each other, of which there is a fixed number.");
    m.def("as_text", &as_text, "tables"_a, "side_to_move"_a, "board"_a, "hands"_a,
          "Rule tables and a position as text, for komadai_perft.");
}

void bind_results(nb::module_& m) {
    nb::class_<Outcome>(m, "Outcome", "The end of a game, and the winning side: 0 Black, 1 White, -1 nobody.")
        .def_ro("end", &Outcome::end)
        .def_ro("winner", &Outcome::winner);
    nb::class_<Block>(m, "Block", "A block of weights; its terms count in units of 1 / parts.")
        .def_ro("name", &Block::name)
        .def_ro("shape", &Block::shape)
        .def_ro("parts", &Block::parts);
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
    nb::class_<Summary>(m, "Summary", "The positions of a solved game by value, and the number of moves.")
        .def_ro("positions", &Summary::positions)
        .def_ro("reachable", &Summary::reachable)
        .def_ro("moves", &Summary::moves);
    nb::class_<AuditReport>(m, "AuditReport", "The result of an audit: the counts, and the numbers of wrong values.")
        .def_ro("positions", &AuditReport::positions)
        .def_ro("moves", &AuditReport::moves)
        .def_ro("wrong", &AuditReport::wrong);
}

}  // namespace
}  // namespace komadai

NB_MODULE(_core, m) {
    using namespace komadai;
    m.doc() =
        "The native core: positions, move generation and search over compiled tables. Use komadai.Position instead.";

    // Compiled variants are cached until the process ends, by design.
    nb::set_leak_warnings(false);

    // Programs that drive the engine show the text to people.
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const std::bad_alloc&) {
            PyErr_SetString(PyExc_MemoryError, "there is not enough memory for that");
        }
    });

    m.attr("MATE") = MATE;
    m.attr("MATE_BOUND") = MATE_BOUND;
    m.attr("MAX_DEPTH") = MAX_PLY - 1;
    m.attr("MAX_THREADS") = MAX_THREADS;
    m.attr("MAX_HAND") = MAX_HAND;
    m.attr("MAX_GROUPS") = MAX_GROUPS;
    m.attr("MAX_VECTORS") = MAX_VECTORS;
    m.attr("MAX_TRAIL") = MAX_TRAIL;

    bind_enums(m);
    bind_tables(m);
    bind_results(m);

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
        .def("winner_on_board", &PyPosition::winner_on_board,
             "The side that has won by what stands on the board; -1: none has.")
        .def("winning_move", &PyPosition::winning_move, "A move that wins the game at once, if there is one.",
             nb::sig("def winning_move(self) -> komadai.spec.move.Move | None"))
        .def("perft", &PyPosition::perft, "depth"_a, "bulk"_a = true, "generic"_a = false);

    nb::class_<PyEvaluation>(m, "Evaluation", "The static evaluation of a variant with its weights.")
        .def(nb::init<const PyRules&, const nb::object&>(), "rules"_a, "weights"_a.none() = nb::none(),
             nb::sig("def __init__(self, rules: Rules, weights: list[int] | None = None) -> None"))
        .def("blocks", &PyEvaluation::blocks, "The blocks of the weights, in order.")
        .def("score", &PyEvaluation::score, "position"_a, "The score for the side to move.")
        .def("terms", &PyEvaluation::terms, "position"_a,
             "The terms of the score for the side to move, as pairs of a weight's index and a count.");

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
        .def("stop", &PyMateSolver::stop);

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

    m.def("attack", &py_attack, "position"_a, "turns"_a, "nodes"_a, "every"_a,
          "Whether the side to move wins within so many of its turns, and with which first one.");
    m.def("defend", &py_defend, "position"_a, "turns"_a, "nodes"_a,
          "Whether the side to move escapes from a loss within so many turns of its opponent.");

    m.def("audit", &py_audit, "index"_a, "values"_a, "width"_a, "everything"_a, "one_in"_a, "seed"_a, "threads"_a,
          "done"_a,
          nb::sig("def audit(index: TableIndex, values: bytes, width: int, everything: bool, one_in: int, seed: int, "
                  "threads: int, done: collections.abc.Callable[[int], object]) -> AuditReport"));
}
