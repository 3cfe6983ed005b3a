// The Python face of the core: conversions and locks, no rules.
#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <variant>

#include "mate.hpp"
#include "search.hpp"
#include "solve.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace komadai {
namespace {

constexpr int SMALL = 2, MEDIUM = 6, LARGE = 10;  // boards of up to 128, 384 and 640 points

// Throws what Python raises for a signal, such as KeyboardInterrupt; to be called without the GIL.
void check_signals() {
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

template <class T>
void read(const nb::handle& from, const char* name, T& into) {
    into = nb::cast<T>(from.attr(name));
}

// What the tables say of turns that may be more than one landing.
void read_turns(const nb::handle& from, Tables& t) {
    read(from, "spared", t.spared);
    read(from, "triumph", t.triumph);
    read(from, "prey", t.prey);
    read(from, "alive", t.alive);
    read(from, "vital", t.vital);
    read(from, "commanders", t.commanders);
    read(from, "name_order", t.name_order);
    using Pieces = std::vector<int>;
    using RawWalk = std::tuple<uint64_t, int, int, bool, std::vector<uint64_t>>;
    for (auto& walks : nb::cast<std::vector<std::vector<RawWalk>>>(from.attr("walks"))) {
        t.walks.emplace_back();
        for (auto& [first, least, most, revisits, next] : walks)
            t.walks.back().push_back({first, least, most, revisits, next});
    }
    using RawShot = std::tuple<std::vector<int>, int, int, bool, bool, bool, int, std::vector<int>>;
    for (auto& shots : nb::cast<std::vector<std::vector<RawShot>>>(from.attr("shots"))) {
        t.shots.emplace_back();
        for (auto& [vectors, reach, targets, over, after_capture, each_landing, standing, nearest] : shots)
            t.shots.back().push_back(
                {vectors, reach, targets, over, after_capture, each_landing, Standing(standing), nearest});
    }
    for (auto& [black, white] : nb::cast<std::vector<std::tuple<Pieces, Pieces>>>(from.attr("has")))
        t.has.push_back({black, white});
    using RawTie = std::tuple<std::vector<Pieces>, std::vector<Pieces>, int>;
    for (auto& [needed, hanging, worth] : nb::cast<std::vector<RawTie>>(from.attr("ties")))
        t.ties.emplace_back(Wanted{needed.at(0), needed.at(1)}, Wanted{hanging.at(0), hanging.at(1)}, worth);
    using RawSight = std::tuple<Pieces, Pieces, uint64_t, uint64_t, bool>;
    for (auto& [black, white, black_sees, white_sees, through] : nb::cast<std::vector<RawSight>>(from.attr("sights")))
        t.sights.push_back({{black, white}, {black_sees, white_sees}, through});
    using RawAction = std::tuple<int, uint64_t, uint64_t, int, bool, Pieces, Pieces, int>;
    using RawRule = std::tuple<int, std::vector<Pieces>, std::vector<std::tuple<int, bool, int>>, RawAction>;
    for (auto& [moment, where, questions, action] : nb::cast<std::vector<RawRule>>(from.attr("turn_rules"))) {
        auto& [act, black_barred, white_barred, into, others, black, white, most] = action;
        TurnRuleTable rule{Moment(moment), where,          {},  Act(act), {black_barred, white_barred}, into,
                           others,         {black, white}, most};
        for (auto [ask, holds, argument] : questions) rule.questions.push_back({Ask(ask), holds, argument});
        t.turn_rules.push_back(std::move(rule));
    }
}

Tables read_tables(const nb::handle& from) {
    Tables t;
    read(from, "width", t.width);
    read(from, "height", t.height);
    read(from, "cells", t.cells);
    read(from, "cell_of", t.cell_of);
    read(from, "deltas", t.deltas);
    read(from, "pieces", t.pieces);
    read(from, "leaps", t.leaps);
    read(from, "slides", t.slides);
    read(from, "reach", t.reach);
    read(from, "royal", t.royal);
    read(from, "overlaps", t.overlaps);
    read(from, "value", t.value);
    read(from, "captured", t.captured);
    read(from, "changes", t.changes);
    read(from, "may_land", t.may_land);
    read(from, "may_drop", t.may_drop);
    read(from, "zone", t.zone);
    read(from, "drops", t.drops);
    read(from, "hand_value", t.hand_value);
    read(from, "file_groups", t.file_groups);
    read(from, "repetition", t.repetition);
    read(from, "perpetual_check_loses", t.perpetual_check_loses);
    read(from, "single_royal", t.single_royal);
    read(from, "roots", t.roots);
    read(from, "links", t.links);
    read(from, "link_reach", t.link_reach);
    read(from, "anchor", t.anchor);
    nb::object turns = from.attr("turns");
    t.turns = !turns.is_none();
    if (t.turns) read_turns(turns, t);
    using RawNear = std::tuple<int, int, bool, std::vector<int>, std::vector<int>>;
    for (auto& [least, most, supported, black, white] : nb::cast<std::vector<RawNear>>(from.attr("nears")))
        t.nears.push_back({least, most, supported, {black, white}});
    using RawRule = std::tuple<int, bool, std::vector<std::vector<int>>, std::vector<std::tuple<int, bool, int>>>;
    for (auto& [events, about_mate, where, questions] : nb::cast<std::vector<RawRule>>(from.attr("rules"))) {
        RuleTable rule{events, about_mate, where, {}};
        for (auto [ask, holds, argument] : questions) rule.questions.push_back({Ask(ask), holds, argument});
        t.rules.push_back(std::move(rule));
    }
    return t;
}

// The native rules of a variant, and the Move objects of Python made so far: each distinct move exists once.
class PyRules {
 public:
    PyRules(const nb::handle& tables, nb::object make_move) : make_move_(std::move(make_move)) {
        Tables t = read_tables(tables);
        cells_ = size_t(t.cells);
        made_.resize(size_t(t.pieces) * (cells_ + MAX_HAND) * 4);
        if (t.width * t.height <= 64 * SMALL)
            rules_ = std::make_shared<const Rules<SMALL>>(t);
        else if (t.width * t.height <= 64 * MEDIUM)
            rules_ = std::make_shared<const Rules<MEDIUM>>(t);
        else
            rules_ = std::make_shared<const Rules<LARGE>>(t);
    }

    PyRules(const PyRules&) = delete;

    // The Move of Python. Those of several landings or with shots are made anew: there are too many to keep.
    nb::object move(Move move) {
        if (move.trail) return make_move_(move.code(), move.trail);
        size_t from = move.is_drop() ? cells_ + move.from : move.from;
        Row& row = made_[(move.piece * (cells_ + MAX_HAND) + from) * 4 + (move.flags >> 1)];
        if (!row) row = std::make_unique<nb::object[]>(cells_);
        nb::object& made = row[move.to];
        if (!made.is_valid()) made = make_move_(move.code(), move.trail);
        return made;
    }

    std::variant<std::shared_ptr<const Rules<SMALL>>, std::shared_ptr<const Rules<MEDIUM>>,
                 std::shared_ptr<const Rules<LARGE>>>
        rules_;

    int traverse(visitproc visit, void* arg) {
        Py_VISIT(make_move_.ptr());
        for (Row& row : made_)
            for (size_t to = 0; row && to < cells_; ++to) Py_VISIT(row[to].ptr());
        return 0;
    }
    void clear() {
        make_move_.reset();
        made_.clear();
    }

 private:
    using Row = std::unique_ptr<nb::object[]>;  // by target
    nb::object make_move_;
    size_t cells_;
    std::vector<Row> made_;  // by piece, origin (or hand slot, after the cells) and suffix
};

class PyPosition {
    using Any = std::variant<Position<SMALL>, Position<MEDIUM>, Position<LARGE>>;

    template <int W>
    static Any make(const std::shared_ptr<const Rules<W>>& rules) {
        return Position<W>(rules);
    }
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
    // board: native piece numbers by point; hands: counts by side and slot; turn: 0 Black, 1 White.
    PyPosition(std::shared_ptr<PyRules> rules, const std::vector<int>& board,
               const std::vector<std::vector<int>>& hands, int turn)
        : rules_(std::move(rules)),
          position_(std::visit([](const auto& r) -> Any { return make(r); }, rules_->rules_)) {
        with([&](auto& position) {
            const auto& r = position.rules();
            if (int(board.size()) != r.points || hands.size() != 2)
                throw std::invalid_argument("board or hands of the wrong size");
            for (int point = 0; point < r.points; ++point) {
                if (board[point] < 0 || board[point] >= int(r.info.size()) || board[point] == WALL)
                    throw std::invalid_argument("no such piece number");
                if (board[point]) position.place(r.cell_of[point], Piece(board[point]));
            }
            for (int side = 0; side < 2; ++side)
                for (size_t slot = 0; slot < hands[side].size() && int(slot) < r.hands(); ++slot) {
                    if (hands[side][slot] < 0 || hands[side][slot] > 200)
                        throw std::invalid_argument("no such hand count");
                    position.give(Side(side), int(slot), hands[side][slot]);
                }
            position.set_turn(Side(turn & 1));
        });
    }
    PyPosition(const PyPosition& other) : rules_(other.rules_), position_(other.position_) {}
    PyPosition(std::shared_ptr<PyRules> rules, const Position<SMALL>& position)
        : rules_(std::move(rules)), position_(position) {}

    nb::list legal_moves() { return listed(fresh()); }
    std::vector<std::pair<uint64_t, uint64_t>> legal_moves_generic() {
        MoveList moves;
        with([&](auto& position) { position.legal_moves_generic(moves); });
        return codes(moves);
    }
    nb::list legal_checks() {
        MoveList moves;
        with([&](auto& position) { position.legal_checks(moves); });
        return listed(moves);
    }
    std::vector<std::pair<uint64_t, uint64_t>> legal_checks_generic() {
        MoveList moves;
        with([&](auto& position) { position.legal_checks_generic(moves); });
        return codes(moves);
    }
    // Makes the move if it is legal here; says whether it was.
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
        return with([](auto& position) { return position.in_check(position.turn()); });
    }
    int turn() {
        return with([](auto& position) { return int(position.turn()); });
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
        return with([](auto& position) { return listed(position.stranded()); });
    }
    std::vector<int> held() {
        return with(
            [](auto& position) { return position.rules().turns ? listed(position.held_fast()) : std::vector<int>{}; });
    }
    std::vector<int> losses(uint64_t code, uint64_t trail) {
        Move move = Move::from_code(code, trail);
        if (!is_legal(move)) throw std::invalid_argument("not a legal move");
        return with([&](auto& position) { return listed(position.losses(move)); });
    }
    std::pair<int, int> outcome() {
        Outcome outcome = with([](auto& position) { return position.outcome(); });
        return {int(outcome.end), outcome.winner};
    }
    nb::object winning_move() {
        const Move move = with([](auto& position) { return position.winning_move(); });
        return move == Move{} ? nb::none() : python_move(move);
    }
    // Works on a copy, so that other threads may use the position meanwhile.
    uint64_t perft(int depth, bool bulk, bool generic) {
        Any copy = position_;
        nb::gil_scoped_release release;
        return std::visit([&](auto& position) { return position.perft(depth, bulk, generic, check_signals); }, copy);
    }

    nb::object python_move(Move move) { return rules_->move(move); }

    [[nodiscard]] const Any& any() const { return position_; }

 private:
    nb::list listed(const MoveList& moves) {
        nb::list out = nb::steal<nb::list>(PyList_New(Py_ssize_t(moves.size())));
        for (size_t i = 0; i < moves.size(); ++i)
            PyList_SET_ITEM(out.ptr(), Py_ssize_t(i), rules_->move(moves[i]).release().ptr());
        return out;
    }
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
    Any position_;
    MoveList legal_;
    bool fresh_ = false;
};

// The evaluation of a variant: its weights, immutable and shared by searchers.
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
              rules.rules_)) {}

    [[nodiscard]] std::vector<std::tuple<std::string, std::vector<int>, int>> blocks() const {
        return std::visit(
            [](const auto& evaluation) {
                std::vector<std::tuple<std::string, std::vector<int>, int>> found;
                for (const Block& block : evaluation->blocks())
                    found.emplace_back(block.name, block.shape, block.parts);
                return found;
            },
            evaluation_);
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

// A searcher with its memory. search() works on a copy with the GIL released; stop() may come from any thread.
class PySearcher {
    template <int W>
    using Owned = std::unique_ptr<Search<W>>;

 public:
    PySearcher(const PyEvaluation& evaluation, size_t megabytes, int threads)
        : search_(std::visit([&]<int W>(const std::shared_ptr<const Evaluation<W>>& e)
                                 -> Any { return std::make_unique<Search<W>>(e, megabytes, threads); },
                             evaluation.any())) {}

    // Calls `report` with what report_tuple() makes of every completed depth, and returns the last.
    nb::tuple search(PyPosition& position, int depth, uint64_t nodes, double seconds, double soft, int lines,
                     const std::vector<std::pair<uint64_t, uint64_t>>& only, bool ponder, nb::object report) {
        if (busy_.exchange(true)) throw std::runtime_error("this engine is already searching; stop it first");
        control_.pondering = ponder && !hit_;
        Limits limits{depth, nodes, seconds, soft, lines, {}};
        for (auto [code, trail] : only) limits.only.push_back(Move::from_code(code, trail));
        auto convert = [&](const Report& r) {
            nb::list out;
            for (const Line& line : r.lines) {
                nb::list moves;
                for (Move move : line.moves) moves.append(position.python_move(move));
                out.append(nb::make_tuple(line.score, moves));
            }
            return nb::make_tuple(r.depth, r.seldepth, r.nodes, r.seconds, r.hashfull, out);
        };
        struct Idle {
            PySearcher& searcher;
            ~Idle() { searcher.busy_ = searcher.control_.stop = searcher.control_.pondering = searcher.hit_ = false; }
        } idle{*this};
        Report last;
        std::visit(
            [&]<int W>(Owned<W>& search) {
                const auto* p = std::get_if<Position<W>>(&position.any());
                if (p == nullptr) throw std::invalid_argument("a position of other rules");
                nb::gil_scoped_release release;
                last = search->run(
                    *p, limits, control_,
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
    // The move pondered on was played: limits of time count from now on.
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

// Looks for forced mates. solve() works on a copy with the GIL released; stop() may come from any thread.
class PyMateSolver {
 public:
    explicit PyMateSolver(size_t megabytes) : megabytes_(megabytes) {}

    // Returns the verdict (see native/mate.hpp), the line, nodes and seconds.
    nb::tuple solve(PyPosition& position, uint64_t nodes, double seconds) {
        if (busy_.exchange(true)) throw std::runtime_error("this solver is already at work; stop it first");
        MateReport report;
        try {
            if (!table_) table_.emplace(megabytes_);
            std::visit(
                [&]<int W>(const Position<W>& p) {
                    nb::gil_scoped_release release;
                    report = MateSearch<W>(p, *table_, stop_, check_signals).run({nodes, seconds});
                },
                position.any());
        } catch (...) {
            busy_ = stop_ = false;
            throw;
        }
        busy_ = stop_ = false;
        nb::list line;
        for (Move move : report.line) line.append(position.python_move(move));
        return nb::make_tuple(int(report.verdict), line, report.nodes, report.seconds);
    }
    void stop() {
        if (busy_) stop_ = true;
    }

 private:
    size_t megabytes_;
    std::optional<MateTable> table_;  // made when it is needed first
    std::atomic<bool> stop_{false}, busy_{false};
};

// The index of a small game's positions; immutable, so threads may share it.
class PyTableIndex {
 public:
    using RawFamily = std::tuple<int, std::vector<int>, std::vector<int>>;

    PyTableIndex(std::shared_ptr<PyRules> rules, const PyPosition& start, const std::vector<RawFamily>& raw,
                 bool mirror)
        : rules_(std::move(rules)) {
        const Position<SMALL>& from = small(start);
        std::vector<Family> families;
        for (const auto& [count, kinds, hand_slots] : raw) families.push_back({count, kinds, hand_slots});
        index_ = std::make_shared<const TableIndex>(std::get<std::shared_ptr<const Rules<SMALL>>>(rules_->rules_), from,
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

// Calls back into Python from work that has let go of the GIL.
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
    [[nodiscard]] nb::tuple summary() const {
        const Summary& summary = solver_.summary();
        return nb::make_tuple(summary.positions, summary.reachable, summary.moves);
    }
    [[nodiscard]] std::vector<Slot> reachable_with(Value value, size_t most) const {
        return solver_.reachable_with(value, most);
    }

 private:
    Solver solver_;
};

nb::tuple py_audit(const PyTableIndex& index, const nb::bytes& values, int width, uint32_t one_in, uint64_t seed,
                   int threads, nb::object done) {
    AuditReport report;
    {
        std::string_view all(values.c_str(), values.size());
        nb::gil_scoped_release release;
        report = audit(*index.index(), all, width, one_in, seed, threads, calling<size_t>(done), check_signals);
    }
    return nb::make_tuple(report.positions, report.moves, report.wrong);
}

int traverse_rules(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    return nb::inst_ready(self) ? nb::inst_ptr<PyRules>(self)->traverse(visit, arg) : 0;
}
int clear_rules(PyObject* self) {
    nb::inst_ptr<PyRules>(self)->clear();
    return 0;
}
PyType_Slot rules_slots[] = {{Py_tp_traverse, (void*)traverse_rules}, {Py_tp_clear, (void*)clear_rules}, {0, nullptr}};

}  // namespace
}  // namespace komadai

NB_MODULE(_core, m) {
    using namespace komadai;
    m.doc() =
        "The native core: positions, move generation and search over compiled tables. Use komadai.Position instead.";

    // Compiled variants are cached until the process ends, by design.
    nb::set_leak_warnings(false);

    m.attr("MATE") = MATE;
    m.attr("MATE_BOUND") = MATE_BOUND;
    m.attr("MAX_DEPTH") = MAX_PLY - 1;
    m.attr("MAX_THREADS") = MAX_THREADS;
    m.attr("MAX_HAND") = MAX_HAND;
    m.attr("MAX_GROUPS") = MAX_GROUPS;
    m.attr("MAX_VECTORS") = MAX_VECTORS;
    m.attr("MAX_TRAIL") = MAX_TRAIL;

    nb::class_<PyRules>(m, "Rules", nb::type_slots(rules_slots),
                        "The compiled tables of one variant, immutable and shared.")
        .def(nb::init<nb::handle, nb::object>(), "tables"_a, "make_move"_a,
             nb::sig("def __init__(self, tables: komadai.compiler.layout.RuleTables, "
                     "make_move: collections.abc.Callable[[int, int], komadai.spec.move.Move]) -> None"));

    nb::class_<PyPosition>(m, "Position", "A position and the moves that led to it.")
        .def(nb::init<std::shared_ptr<PyRules>, const std::vector<int>&, const std::vector<std::vector<int>>&, int>(),
             "rules"_a, "board"_a, "hands"_a, "turn"_a)
        .def("copy", [](const PyPosition& self) { return PyPosition(self); })
        .def("legal_moves", &PyPosition::legal_moves, nb::sig("def legal_moves(self) -> list[komadai.spec.move.Move]"))
        .def("legal_moves_generic", &PyPosition::legal_moves_generic,
             "Both words of the legal moves, found by trying every move: the oracle of the fast path.")
        .def("legal_checks", &PyPosition::legal_checks, nb::sig("def legal_checks(self) -> list[komadai.spec.move.Move]"))
        .def("legal_checks_generic", &PyPosition::legal_checks_generic,
             "Both words of the legal moves that give check, found by making every one.")
        .def("push", &PyPosition::push, "code"_a, "trail"_a, "Make the move if it is legal here; say whether it was.")
        .def("pop", &PyPosition::pop)
        .def("in_check", &PyPosition::in_check)
        .def("turn", &PyPosition::turn)
        .def("plies", &PyPosition::plies)
        .def("key", &PyPosition::key)
        .def("key_from_scratch", &PyPosition::key_from_scratch)
        .def("board", &PyPosition::board)
        .def("piece_at", &PyPosition::piece_at, "point"_a, "The piece number on a point; 0 where it is empty.")
        .def("hand", &PyPosition::hand, "side"_a)
        .def("support", &PyPosition::support, "piece"_a, "Points where a piece of that number would have support.")
        .def("stranded", &PyPosition::stranded, "Points of the mover's pieces that are about to be taken.")
        .def("held", &PyPosition::held, "Points of the mover's pieces that may not move at all in this turn.")
        .def("losses", &PyPosition::losses, "code"_a, "trail"_a,
             "Points of the mover's pieces that a legal move costs.")
        .def("outcome", &PyPosition::outcome, "End (see native/position.hpp) and winner, -1 for none.")
        .def("winning_move", &PyPosition::winning_move, "A move that wins the game at once, if there is one.",
             nb::sig("def winning_move(self) -> komadai.spec.move.Move | None"))
        .def("perft", &PyPosition::perft, "depth"_a, "bulk"_a = true, "generic"_a = false);

    nb::class_<PyEvaluation>(m, "Evaluation", "What positions of a variant are worth: a list of weights.")
        .def(nb::init<const PyRules&, const nb::object&>(), "rules"_a, "weights"_a.none() = nb::none(),
             nb::sig("def __init__(self, rules: Rules, weights: list[int] | None = None) -> None"))
        .def("blocks", &PyEvaluation::blocks,
             "Names and shapes of the tables that the weights are, in order, and how many parts make one time.")
        .def("score", &PyEvaluation::score, "position"_a, "The score for the side to move.")
        .def("terms", &PyEvaluation::terms, "position"_a,
             "The weights that make up the score, by number, and how often each counts for the side to move.");

    nb::class_<PySearcher>(m, "Searcher", "A search with a transposition table and threads of its own.")
        .def(nb::init<const PyEvaluation&, size_t, int>(), "evaluation"_a, "megabytes"_a, "threads"_a = 1)
        .def("search", &PySearcher::search, "position"_a, "depth"_a, "nodes"_a, "seconds"_a, "soft"_a, "lines"_a,
             "only"_a, "ponder"_a, "report"_a.none(),
             nb::sig("def search(self, position: Position, depth: int, nodes: int, seconds: float, soft: float, "
                     "lines: int, only: list[tuple[int, int]], ponder: bool, "
                     "report: collections.abc.Callable[[tuple[int, int, int, float, int, "
                     "list[tuple[int, list[komadai.spec.move.Move]]]]], object] | None) "
                     "-> tuple[int, int, int, float, int, list[tuple[int, list[komadai.spec.move.Move]]]]"))
        .def("stop", &PySearcher::stop)
        .def("ponderhit", &PySearcher::ponderhit)
        .def("clear", &PySearcher::clear);

    nb::class_<PyMateSolver>(m, "MateSolver", "Looks for mates by checks alone, with a table of its own.")
        .def(nb::init<size_t>(), "megabytes"_a)
        .def("solve", &PyMateSolver::solve, "position"_a, "nodes"_a, "seconds"_a,
             nb::sig("def solve(self, position: Position, nodes: int, seconds: float) "
                     "-> tuple[int, list[komadai.spec.move.Move], int, float]"))
        .def("stop", &PyMateSolver::stop);

    nb::class_<PyTableIndex>(m, "TableIndex", "Positions of a small game as numbers, for tables of solved games.")
        .def(nb::init<std::shared_ptr<PyRules>, const PyPosition&, const std::vector<PyTableIndex::RawFamily>&, bool>(),
             "rules"_a, "start"_a, "families"_a, "mirror"_a)
        .def_prop_ro("size", &PyTableIndex::size, "How many numbers there are, from 0.")
        .def_prop_ro("main", &PyTableIndex::main, "How many of them have every royal piece on the board.")
        .def("find", &PyTableIndex::find, "position"_a, "The number of a position, or -1.")
        .def("position", &PyTableIndex::position, "slot"_a, "The position of that number, Black to move.")
        .def("counts", &PyTableIndex::counts, "slot"_a, "Whether the position can be played, and is no mirror image.")
        .def("is_image", &PyTableIndex::is_image, "slot"_a,
             "Whether the position is the mirror image of one with a smaller number.");

    nb::class_<PySolver>(m, "Solver", "Works out the values of all positions of an index.")
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
        .def("summary", &PySolver::summary, nb::sig("def summary(self) -> tuple[list[int], list[int], int]"))
        .def("reachable_with", &PySolver::reachable_with, "value"_a, "most"_a);

    m.def("audit", &py_audit, "index"_a, "values"_a, "width"_a, "one_in"_a, "seed"_a, "threads"_a, "done"_a,
          nb::sig("def audit(index: TableIndex, values: bytes, width: int, one_in: int, seed: int, threads: int, "
                  "done: collections.abc.Callable[[int], object]) -> tuple[int, int, list[int]]"));
}
