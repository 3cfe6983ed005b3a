// A variant as the core sees it: immutable tables, built once from the plain arrays that compile.py prepares.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "types.hpp"

namespace komadai {

// The questions that need a live position; everything static is already folded into sets of points.
enum class Ask : int {
    ON_FILE = 0,
    IN_HAND = 1,
    CAPTURES = 2,
    NEAR = 3,
    SUPPORTED = 4,
    BEYOND_SUPPORT = 5,
    GIVES_CHECK = 6,
    MATES = 7,
    HAS = 8,
    IN_SIGHT = 9
};

struct Question {
    Ask ask;
    bool holds;    // whether the answer must be yes
    int argument;  // ON_FILE: file group; IN_HAND: bit set of hand slots; NEAR, HAS, IN_SIGHT: index
};

enum Event : int { ON_DROP = 1, ON_LANDING = 2, AT_END = 4 };

// What Ask::NEAR looks for: another of these pieces, `least` to `most` king's steps away.
struct NearTable {
    int least, most;
    bool supported;                          // only pieces that have support count
    std::array<std::vector<int>, 2> wanted;  // by the mover's side, the pieces looked for
};

// One conjunction: forbid a move when the piece lands in `where[piece]` and every question is answered as it asks. With
// AT_END it is asked of every piece of the mover once the move is made, and the piece goes to the opponent's hand.
struct RuleTable {
    int events;
    bool about_mate;                      // the rule it comes from asks for mate, here or in another branch
    std::vector<std::vector<int>> where;  // per piece, points
    std::vector<Question> questions;      // cheapest first
};

// When a rule about turns is asked, and what it does.
enum class Moment : int { TURN_START, ARRIVES, SHOOTS, TURNS, AT_ALL_TIMES };
enum class Act : int { FORBID, HOLD, TURN, REMOVE };

// Sets of pieces that differ with the side of the piece asked, as in NearTable.
using Wanted = std::array<std::vector<int>, 2>;

// Pieces that look along lines; the vectors by the side of the one that looks.
struct SightTable {
    Wanted lookers;
    std::array<uint64_t, 2> vectors;
    bool through;
};

struct TurnRuleTable {
    Moment moment;
    std::vector<std::vector<int>> where;  // per piece, points
    std::vector<Question> questions;
    Act act;
    std::array<uint64_t, 2> barred;  // HOLD: the vectors, by side; none: all
    int into;                        // TURN: the kind
    bool others;                     // whether it strikes other pieces, `most` steps away at most, instead of its own
    Wanted those;
    int most;
};

struct WalkTable {
    uint64_t first;  // bit set of vectors
    int least, most;
    bool revisits;
    std::vector<uint64_t> next;  // vector -> bit set of vectors that may follow
};

enum class Standing : int { NEVER, ONLY, MAY };

struct ShotTable {
    std::vector<int> vectors;
    int reach, targets;
    bool over, after_capture, each_landing;
    Standing standing;
    std::vector<int> nearest;  // target piece -> least distance, 0: never
};

// One result of a move: what the piece becomes, and how the move string says so.
struct Change {
    Piece piece;
    uint16_t flags;
};

// What compile.py hands over. Pieces index their arrays by number (kind << 2 | 1 << side).
struct Tables {
    int width = 0, height = 0;
    int cells = 0;
    std::vector<int> cell_of;      // point -> cell
    std::vector<int> deltas;       // vector -> cell offset; the opposite of v is v ^ 1
    int pieces = 0;                // size of the arrays below
    std::vector<uint64_t> leaps;   // piece -> bit set of vectors
    std::vector<uint64_t> slides;  // piece -> bit set of vectors
    std::vector<int> reach;        // piece * vectors + vector -> longest slide
    std::vector<int> royal;
    std::vector<int> overlaps;
    std::vector<int> value;
    std::vector<int> captured;  // piece -> hand slot, or -1
    std::vector<std::vector<std::vector<int>>>
        changes;  // piece -> class (touches zone * 2 + captures) -> piece, flags, …
    std::vector<std::vector<int>> may_land, may_drop;  // piece -> points
    std::vector<std::vector<int>> zone;                // side -> points
    std::vector<std::vector<int>> drops;               // hand slot -> kinds
    std::vector<int> hand_value;
    std::vector<std::vector<int>> file_groups;  // group -> kinds
    std::vector<NearTable> nears;
    std::vector<int> roots, links;  // piece -> whether it gives support, or hands it on
    int link_reach = 1;             // king's steps from a root within which a link has support
    int anchor = 0;                 // the piece that the window of an unbounded field follows, or EMPTY
    std::vector<RuleTable> rules;
    int repetition = 4;
    bool perpetual_check_loses = false;
    bool single_royal = false;
    bool turns = false;  // turns may have several landings, shots, or effects while they are under way
    std::vector<std::vector<WalkTable>> walks;  // by piece
    std::vector<std::vector<ShotTable>> shots;  // by piece, one at most
    std::vector<std::vector<int>> spared;       // by piece, the pieces it cannot take
    std::vector<int> triumph;                   // by piece, what it becomes once it has taken some of `prey`
    std::vector<std::vector<int>> prey;         // by piece
    std::vector<Wanted> has;                    // pieces looked for on the board
    std::vector<SightTable> sights;
    std::vector<TurnRuleTable> turn_rules;
    std::vector<std::vector<std::pair<int, bool>>> alive;  // ways of being alive: indices into `has`, and the answers
    std::vector<int> commanders;                           // by piece, whether `alive` speaks of it
    std::vector<std::tuple<Wanted, Wanted, int>> ties;     // of a side that has one of these, those are worth more
    std::vector<int> vital;                                // by piece, whether its loss may cost its side its life
    std::vector<int> name_order;                           // point -> place of its name among all names
};

constexpr int MAX_HAND = 16;     // hand kinds
constexpr int MAX_FILES = 26;    // files, from 1
constexpr int MAX_VECTORS = 64;  // different vectors of all kinds and their opposites
constexpr int MAX_GROUPS = 4;    // different sets of kinds that rules look for on a file

// What a piece does for the support of others.
enum class Role : uint8_t { NONE, ROOT, LINK };

template <int W>
struct Rules {
    struct Ray {
        int delta;
        uint8_t vector;
        uint8_t reach;
    };
    struct Rule {
        int events;
        bool about_mate;
        std::vector<Bits<W>> where;  // per piece
        std::vector<Question> questions;
        bool about_the_piece;  // whether an answer depends on which piece asks
    };
    struct PieceInfo {
        std::vector<Ray> leaps, slides;
        uint64_t leap_bits = 0, slide_bits = 0;
        std::vector<uint8_t> reach;
        std::array<std::vector<Change>, 4> changes;
        bool looks_in[4] = {};  // whether a move of that class is more than: the piece stands there, as it is
        bool overlaps = false;  // two of its ways may lead to the same point
        bool royal = false;
        bool keeps_to_support = false;  // whatever it becomes, a rule forbids it to land where it has none
        Role role = Role::NONE;
        int captured = -1;
        int value = 0;
        unsigned groups = 0;
        Bits<W> may_land, may_drop;
        std::vector<int> landing_rules, drop_rules;  // indices into `rules`
        // Of turns:
        std::vector<WalkTable> walks;
        std::vector<ShotTable> shots;
        std::vector<uint8_t> spared, prey;  // by piece; `spared` is empty where nothing is
        Piece triumph = EMPTY;
        uint64_t watched = 0;  // the sets in which its points are kept
        bool vital = false;
        bool stirs = false;  // a rule that is true at all times, or one about turning, concerns it
        bool acts_on_arrival = false;
        bool calm = false;   // its landings change nothing but what stands where, but for danger and for what it takes
        bool plain = false;  // its turns are single landings that come to different positions, but beside danger
    };
    struct Sight {
        std::array<int, 2> lookers;  // watched sets, by the side asked
        std::array<uint64_t, 2> vectors;
        bool through;
    };
    struct TurnRule {
        std::vector<Bits<W>> where;
        std::vector<Question> questions;
        Act act;
        std::array<uint64_t, 2> barred;
        int into;
        bool others;
        std::array<std::vector<uint8_t>, 2> those;
        std::vector<Bits<W>> around;  // point -> the points near enough
        int subjects = -1;            // the watched set of the pieces it may hold for; -1: any
        int danger = -1;              // ARRIVES: the near table without which it does not hold; -1: none
    };

    explicit Rules(const Tables& t);

    int width, height, points, cells;
    std::vector<Cell> cell_of;
    std::vector<Point> point_of;
    std::vector<int> file_of;  // point -> file from 1
    std::vector<int> deltas;
    std::vector<int> ray_vectors;   // vectors along which anything slides
    std::vector<int> leap_vectors;  // vectors by which something leaps and nothing slides
    std::vector<PieceInfo> info;
    std::vector<Bits<W>> leap_points;  // piece * points + point -> where it leaps to
    struct Way {
        uint8_t vector, distance;
    };
    std::vector<Way> ways;  // point * points + point -> the ray from the one to the other; distance 0: there is none
    std::array<Bits<W>, 2> zone;
    Bits<W> board;  // every point
    std::array<Bits<W>, MAX_FILES> file_points{};
    std::vector<std::vector<int>> drops;
    std::vector<int> hand_value;
    int groups;
    struct Near {
        bool supported;
        std::array<std::vector<uint8_t>, 2> wanted;  // by the mover's side and piece
        std::vector<Bits<W>> around;                 // point -> the points at the right distance
        Role among = Role::NONE;                     // the role that all pieces wanted have, if it is one
        std::array<int, 2> watch{-1, -1};            // of turns: the watched sets of the pieces wanted
    };
    std::vector<Near> nears;
    std::vector<Bits<W>> beside;      // point -> the points a king's step away
    std::vector<Bits<W>> link_reach;  // point -> the points where a root there supports links
    std::vector<Rule> rules;
    std::vector<int> end_rules;  // indices into `rules` of those applied at the end of a turn
    Piece anchor;                // stands on `middle`, once it is on the board, if there is one
    Cell middle;
    int repetition;
    bool perpetual_check_loses, single_royal;
    bool turns;
    std::array<std::vector<TurnRule>, 5> turn_rules;  // by moment
    std::vector<std::array<std::vector<Piece>, 2>> has;
    std::vector<Sight> sights;
    std::vector<std::vector<std::pair<int, bool>>> alive;
    struct Tie {
        std::array<std::vector<Piece>, 2> needed, hanging;  // by side
        int worth;                                          // of each piece that hangs
    };
    std::vector<Tie> ties;
    int commanders = -1;            // the watched set of the pieces a side needs to play on
    std::vector<Bits<W>> vicinity;  // point -> the points up to three king's steps away
    int watches = 0;
    std::vector<uint16_t> name_order;
    std::vector<uint64_t> piece_keys;  // piece * points + point
    std::array<std::array<std::array<uint64_t, 256>, MAX_HAND>, 2> hand_keys;
    uint64_t turn_key;

    [[nodiscard]] int hands() const { return int(drops.size()); }
    [[nodiscard]] const std::vector<TurnRule>& on(Moment moment) const { return turn_rules[int(moment)]; }
    [[nodiscard]] uint64_t key(Piece piece, Point point) const { return piece_keys[piece * points + point]; }

    // Whether a move changes nothing but what stands where it began and where it ends, and one piece can be in check.
    [[nodiscard]] bool plain() const { return single_royal && !turns && end_rules.empty() && anchor == EMPTY; }
    [[nodiscard]] const Bits<W>& leaps(Piece piece, Point from) const { return leap_points[piece * points + from]; }
    [[nodiscard]] Way way(Cell from, Cell to) const { return ways[point_of[from] * points + point_of[to]]; }

 private:
    void aim();
    void read_turns(const Tables& t);  // in turns.hpp
    int watch(const std::vector<uint8_t>& wanted);
    Bits<W> bits(const std::vector<int>& members) const {
        Bits<W> set;
        for (int point : members) set.set(Point(point));
        return set;
    }
    bool lands_on_support(const PieceInfo& mover) const {
        auto forbids = [&](Piece piece, int index) {
            const Rule& rule = rules[index];
            return rule.where[piece] == board && rule.questions.size() == 1 &&
                   rule.questions[0].ask == Ask::SUPPORTED && !rule.questions[0].holds;
        };
        return std::ranges::all_of(mover.changes, [&](const std::vector<Change>& changes) {
            return std::ranges::all_of(changes, [&](const Change& change) {
                const auto& landing = info[change.piece].landing_rules;
                return info[change.piece].role == Role::NONE &&
                       std::ranges::any_of(landing, [&](int index) { return forbids(change.piece, index); });
            });
        });
    }
    // For every point, the points `least` to `most` king's steps away.
    std::vector<Bits<W>> rings(int least, int most) const {
        std::vector<Bits<W>> found(points);
        for (int a = 0; a < points; ++a)
            for (int b = 0; b < points; ++b) {
                int distance = std::max(std::abs(a % width - b % width), std::abs(a / width - b / width));
                if (distance >= least && distance <= most) found[a].set(Point(b));
            }
        return found;
    }
};

template <int W>
Rules<W>::Rules(const Tables& t)
    : width(t.width),
      height(t.height),
      points(t.width * t.height),
      cells(t.cells),
      point_of(t.cells, 0),
      deltas(t.deltas),
      info(t.pieces),
      drops(t.drops),
      hand_value(t.hand_value),
      groups(int(t.file_groups.size())),
      repetition(t.repetition),
      perpetual_check_loses(t.perpetual_check_loses),
      single_royal(t.single_royal),
      turns(t.turns) {
    if (points > 64 * W) throw std::invalid_argument("board too large for this instance of the core");
    if (hands() > MAX_HAND || groups > MAX_GROUPS || int(deltas.size()) > MAX_VECTORS || width >= MAX_FILES)
        throw std::invalid_argument("the tables are larger than the core holds");
    for (int point = 0; point < points; ++point) {
        cell_of.push_back(Cell(t.cell_of[point]));
        point_of[t.cell_of[point]] = Point(point);
        file_of.push_back(width - point % width);
        board.set(Point(point));
        file_points[file_of.back()].set(Point(point));
    }
    for (int side = 0; side < 2; ++side) zone[side] = bits(t.zone[side]);

    int vectors = int(deltas.size());
    uint64_t any_slide = 0, any_leap = 0;
    for (int piece = 0; piece < t.pieces; ++piece) {
        PieceInfo& p = info[piece];
        p.leap_bits = t.leaps[piece];
        p.slide_bits = t.slides[piece];
        any_leap |= p.leap_bits;
        any_slide |= p.slide_bits;
        for (int v = 0; v < vectors; ++v) {
            auto reach = uint8_t(t.reach[piece * vectors + v]);
            p.reach.push_back(reach);
            if (p.leap_bits >> v & 1) p.leaps.push_back({deltas[v], uint8_t(v), 1});
            if (p.slide_bits >> v & 1) p.slides.push_back({deltas[v], uint8_t(v), reach});
        }
        for (int move_class = 0; move_class < 4; ++move_class) {
            const auto& flat = t.changes[piece][move_class];
            for (size_t i = 0; i < flat.size(); i += 2)
                p.changes[move_class].push_back({Piece(flat[i]), uint16_t(flat[i + 1])});
        }
        p.royal = t.royal[piece];
        p.role = t.roots[piece] ? Role::ROOT : t.links[piece] ? Role::LINK : Role::NONE;
        p.overlaps = t.overlaps[piece];
        p.captured = t.captured[piece];
        p.value = t.value[piece];
        p.may_land = bits(t.may_land[piece]);
        p.may_drop = bits(t.may_drop[piece]);
    }
    for (int group = 0; group < groups; ++group)
        for (int kind : t.file_groups[group])
            for (Side side : {BLACK, WHITE}) info[piece_of(kind, side)].groups |= 1u << group;
    anchor = Piece(t.anchor);
    middle = cell_of[points / 2];
    for (const NearTable& table : t.nears) {
        Near near{table.supported, {}, rings(table.least, table.most)};
        for (int side = 0; side < 2; ++side) {
            near.wanted[side].resize(t.pieces);
            for (int piece : table.wanted[side]) near.wanted[side][piece] = true;
        }
        for (Role role : {Role::ROOT, Role::LINK}) {
            auto has_role = [&](int piece) { return info[piece].role == role; };
            if (std::ranges::all_of(table.wanted[0], has_role) && std::ranges::all_of(table.wanted[1], has_role))
                near.among = role;
        }
        nears.push_back(std::move(near));
    }
    beside = rings(1, 1);
    link_reach = rings(1, t.link_reach);
    for (const RuleTable& table : t.rules) {
        Rule rule{table.events, table.about_mate, {}, table.questions, false};
        for (const Question& question : rule.questions) rule.about_the_piece |= question.ask >= Ask::SUPPORTED;
        if (rule.events & AT_END) end_rules.push_back(int(rules.size()));
        for (int piece = 0; piece < t.pieces; ++piece) {
            rule.where.push_back(bits(table.where[piece]));
            if (!rule.where.back().any()) continue;
            if (rule.events & ON_DROP) info[piece].drop_rules.push_back(int(rules.size()));
            if (rule.events & ON_LANDING) info[piece].landing_rules.push_back(int(rules.size()));
        }
        rules.push_back(std::move(rule));
    }
    for (int piece = 0; piece < t.pieces; ++piece)
        for (int move_class = 0; move_class < 4; ++move_class) {
            const auto& changes = info[piece].changes[move_class];
            const PieceInfo& p = info[piece];
            bool plain = changes.size() == 1 && changes[0].piece == piece && p.may_land == board &&
                         p.landing_rules.empty() && end_rules.empty() && piece != anchor;
            info[piece].looks_in[move_class] = !plain;
        }
    for (PieceInfo& p : info) p.keeps_to_support = p.role == Role::NONE && lands_on_support(p);
    for (int v = 0; v < vectors; ++v) {
        if (any_slide >> v & 1)
            ray_vectors.push_back(v);
        else if (any_leap >> v & 1)
            leap_vectors.push_back(v);
    }

    for (int piece = 0; piece < t.pieces; ++piece)
        for (int point = 0; point < points; ++point)
            piece_keys.push_back(piece == EMPTY ? 0 : mix(uint64_t(piece) << 32 | uint64_t(point)));
    for (uint64_t side = 0; side < 2; ++side)
        for (uint64_t slot = 0; slot < MAX_HAND; ++slot)
            for (uint64_t count = 0; count < 256; ++count)
                hand_keys[side][slot][count] = count ? mix(uint64_t(1) << 60 | side << 50 | slot << 40 | count) : 0;
    turn_key = mix(uint64_t(1) << 61);
    turns ? read_turns(t) : aim();
}

// Finds out what leads where; a cell that is not a point of the board is a wall.
template <int W>
void Rules<W>::aim() {
    std::vector<bool> on_board(cells);
    for (Cell cell : cell_of) on_board[cell] = true;
    leap_points.resize(info.size() * points);
    for (size_t piece = 0; piece < info.size(); ++piece)
        for (int point = 0; point < points; ++point)
            for (const Ray& leap : info[piece].leaps)
                if (const Cell to = Cell(cell_of[point] + leap.delta); on_board[to])
                    leap_points[piece * points + point].set(point_of[to]);
    ways.resize(size_t(points) * points);
    for (int point = 0; point < points; ++point)
        for (int v : ray_vectors) {
            Cell cell = Cell(cell_of[point] + deltas[v]);
            for (uint8_t distance = 1; on_board[cell]; ++distance, cell = Cell(cell + deltas[v]))
                ways[point * points + point_of[cell]] = {uint8_t(v), distance};
        }
}

}  // namespace komadai
