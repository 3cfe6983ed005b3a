// The rule tables of a variant: plain numbers, written by src/komadai/compiler and read by Rules.
//
// Each struct names its fields once, in fields(visit), which calls visit(name, pointer to member) for each of them. The
// Python bindings and the text form (layout_text.hpp) are made from these lists.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "types.hpp"

namespace komadai {

// The conditions that need a live position; all others are folded into sets of points. The cheapest come first.
#define KOMADAI_CONDITIONS(each)                                                                                 \
    each(ON_FILE) each(IN_HAND) each(CAPTURES) each(NEAR) each(SUPPORTED) each(BEYOND_SUPPORT) each(GIVES_CHECK) \
        each(MATES) each(HAS) each(IN_SIGHT) each(STANDS) each(JUST_TAKEN) each(TAKES) each(COUNT) each(BESIDE)
#define KOMADAI_NAMED(name) name,
enum class Condition : int { KOMADAI_CONDITIONS(KOMADAI_NAMED) };
#undef KOMADAI_NAMED

// When a rule applies. Compound moves have the events from TURN_START on.
enum class Event : int { DROPS, LANDS, TURN_END, TURN_START, ARRIVES, SHOOTS, BECAME, AT_ALL_TIMES, WHOLE_TURN };
constexpr size_t EVENTS = 9;

// The effect of a rule on a compound move.
enum class Action : int { FORBID, IMMOBILIZE, BECOME, REMOVE };

// The moves that count for the promotion zone, as bits: those that start or end in it; that enter it; that capture and
// start or end in it; that end on the farthest rank.
enum : int { ZONE_TOUCH = 1, ZONE_ENTRY = 2, ZONE_CAPTURE = 4, ZONE_LAST_RANK = 8 };

// Shots of a piece from its place, without a landing.
enum class StandingShot : int { NEVER, ONLY, MAY };

// Piece numbers by the side of the piece that a condition is about.
using PiecesBySide = std::array<std::vector<int>, 2>;

// Points by piece number.
using PointsByPiece = std::vector<std::vector<int>>;

// One condition of a conjunction.
struct Term {
    Condition condition;
    bool expected;
    int argument;  // ON_FILE: file group | (how many at least - 1) << 8; IN_HAND: bit set of hand slots; NEAR, HAS,
                   // IN_SIGHT, STANDS, TAKES, COUNT, BESIDE: index of the table

    template <class Visit>
    static void fields(Visit visit) {
        visit("condition", &Term::condition);
        visit("expected", &Term::expected);
        visit("argument", &Term::argument);
    }
};

// One possible result of a move: the piece that it leaves on the board, and the flags of its notation.
struct Change {
    Piece piece;
    uint16_t flags;

    template <class Visit>
    static void fields(Visit visit) {
        visit("piece", &Change::piece);
        visit("flags", &Change::flags);
    }
};

// NEAR: another of these pieces, `least` to `most` king's steps away.
struct NearTable {
    int least, most;
    bool supported;       // only pieces that have support count
    PiecesBySide wanted;  // by the mover's side

    template <class Visit>
    static void fields(Visit visit) {
        visit("least", &NearTable::least);
        visit("most", &NearTable::most);
        visit("supported", &NearTable::supported);
        visit("wanted", &NearTable::wanted);
    }
};

// One conjunction: forbids a move whose piece lands in `where[piece]` if every term is as expected. With TURN_END it
// applies to every piece of the mover after the move, and the piece goes to the opponent's hand.
struct RuleTable {
    std::vector<Event> events;
    bool about_mate;  // the rule asks for mate, in this conjunction or in another
    PointsByPiece where;
    std::vector<Term> terms;  // cheapest first

    template <class Visit>
    static void fields(Visit visit) {
        visit("events", &RuleTable::events);
        visit("about_mate", &RuleTable::about_mate);
        visit("where", &RuleTable::where);
        visit("terms", &RuleTable::terms);
    }
};

// IN_SIGHT: pieces that look along lines.
struct SightTable {
    PiecesBySide lookers;             // by the side of the piece looked at
    std::array<uint64_t, 2> vectors;  // bit sets, by the side of the looker
    bool through;                     // pieces do not block the line

    template <class Visit>
    static void fields(Visit visit) {
        visit("lookers", &SightTable::lookers);
        visit("vectors", &SightTable::vectors);
        visit("through", &SightTable::through);
    }
};

// One conjunction about compound moves, and its effect.
struct CompoundRuleTable {
    int number;  // of the rule: what may hold in several ways has a table for each, one after the other
    Event event;
    PointsByPiece where;
    std::vector<Term> terms;
    Action action;
    std::array<uint64_t, 2> barred;  // IMMOBILIZE: bit sets of vectors, by side; none: all vectors
    int into;                        // BECOME: the kind
    bool others;                     // acts on the `targets` up to `most` steps away instead of on the piece itself
    PiecesBySide targets;
    int most;

    template <class Visit>
    static void fields(Visit visit) {
        visit("number", &CompoundRuleTable::number);
        visit("event", &CompoundRuleTable::event);
        visit("where", &CompoundRuleTable::where);
        visit("terms", &CompoundRuleTable::terms);
        visit("action", &CompoundRuleTable::action);
        visit("barred", &CompoundRuleTable::barred);
        visit("into", &CompoundRuleTable::into);
        visit("others", &CompoundRuleTable::others);
        visit("targets", &CompoundRuleTable::targets);
        visit("most", &CompoundRuleTable::most);
    }
};

// STANDS: one of these pieces in a region.
struct StandsTable {
    PiecesBySide wanted;                     // by the side of the piece
    std::array<std::vector<int>, 2> region;  // points, likewise
    bool safe;                               // only where the other side does not attack it

    template <class Visit>
    static void fields(Visit visit) {
        visit("wanted", &StandsTable::wanted);
        visit("region", &StandsTable::region);
        visit("safe", &StandsTable::safe);
    }
};

// TAKES: the turn captures one of these pieces, `least` to `most` king's steps from its start.
struct TakesTable {
    PiecesBySide wanted;  // by the mover's side
    int least, most;
    bool is_protected;  // only where another piece of its side could capture
    bool elsewhere;     // only on another point than the capture that the position remembers

    template <class Visit>
    static void fields(Visit visit) {
        visit("wanted", &TakesTable::wanted);
        visit("least", &TakesTable::least);
        visit("most", &TakesTable::most);
        visit("is_protected", &TakesTable::is_protected);
        visit("elsewhere", &TakesTable::elsewhere);
    }
};

// COUNT: how many of these pieces there are.
struct CountTable {
    PiecesBySide wanted;  // by the side asked about
    int least, most;
    std::array<std::vector<int>, 2> beyond;  // by the side of the piece: points where it does not count

    template <class Visit>
    static void fields(Visit visit) {
        visit("wanted", &CountTable::wanted);
        visit("least", &CountTable::least);
        visit("most", &CountTable::most);
        visit("beyond", &CountTable::beyond);
    }
};

// BESIDE: one of these pieces a king's step from one of the others.
struct BesideTable {
    PiecesBySide wanted, others;  // by the side asked about

    template <class Visit>
    static void fields(Visit visit) {
        visit("wanted", &BesideTable::wanted);
        visit("others", &BesideTable::others);
    }
};

// A move of several leaps.
struct WalkTable {
    uint64_t first;  // bit set of vectors
    int least, most;
    bool revisits;
    std::vector<uint64_t> next;  // vector -> bit set of vectors that may follow

    template <class Visit>
    static void fields(Visit visit) {
        visit("first", &WalkTable::first);
        visit("least", &WalkTable::least);
        visit("most", &WalkTable::most);
        visit("revisits", &WalkTable::revisits);
        visit("next", &WalkTable::next);
    }
};

// A way of a piece along a vector that is no plain leap or slide.
struct LegTable {
    int vector;
    int reach;      // in steps of the vector
    bool hops;      // over exactly one piece, behind which it lands
    bool quiet;     // it may end on an empty point
    bool captures;  // it may end on an opponent's piece

    template <class Visit>
    static void fields(Visit visit) {
        visit("vector", &LegTable::vector);
        visit("reach", &LegTable::reach);
        visit("hops", &LegTable::hops);
        visit("quiet", &LegTable::quiet);
        visit("captures", &LegTable::captures);
    }
};

struct ShotTable {
    std::vector<int> vectors;
    int reach, targets;
    bool over, after_capture, each_landing;
    StandingShot standing;
    std::vector<int> least_distance;  // by target piece; 0: cannot be shot

    template <class Visit>
    static void fields(Visit visit) {
        visit("vectors", &ShotTable::vectors);
        visit("reach", &ShotTable::reach);
        visit("targets", &ShotTable::targets);
        visit("over", &ShotTable::over);
        visit("after_capture", &ShotTable::after_capture);
        visit("each_landing", &ShotTable::each_landing);
        visit("standing", &ShotTable::standing);
        visit("least_distance", &ShotTable::least_distance);
    }
};

// For a side that has one of `needed`, each of `dependents` is worth more.
struct DependencyTable {
    PiecesBySide needed, dependents;
    int worth;

    template <class Visit>
    static void fields(Visit visit) {
        visit("needed", &DependencyTable::needed);
        visit("dependents", &DependencyTable::dependents);
        visit("worth", &DependencyTable::worth);
    }
};

// The tables of a game whose moves may have several landings, shots, or effects on the way.
struct CompoundTables {
    std::vector<std::vector<WalkTable>> walks;            // by piece
    std::vector<std::vector<ShotTable>> shots;            // by piece, at most one
    std::vector<std::vector<int>> cannot_capture;         // by piece
    std::vector<int> captures_promote_to;                 // by piece; EMPTY: none
    std::vector<std::vector<int>> promotes_by_capturing;  // by piece: the captures that promote it
    std::vector<SightTable> sights;
    std::vector<CompoundRuleTable> rules;
    std::vector<TakesTable> takes;
    PiecesBySide remembered;   // by the captor's side, the pieces whose capture positions remember
    std::vector<int> captors;  // by piece, whether it is its captures that they remember
    std::vector<DependencyTable> dependencies;
    std::vector<int> name_order;  // point -> rank of its name among all names

    template <class Visit>
    static void fields(Visit visit) {
        visit("walks", &CompoundTables::walks);
        visit("shots", &CompoundTables::shots);
        visit("cannot_capture", &CompoundTables::cannot_capture);
        visit("captures_promote_to", &CompoundTables::captures_promote_to);
        visit("promotes_by_capturing", &CompoundTables::promotes_by_capturing);
        visit("sights", &CompoundTables::sights);
        visit("rules", &CompoundTables::rules);
        visit("takes", &CompoundTables::takes);
        visit("remembered", &CompoundTables::remembered);
        visit("captors", &CompoundTables::captors);
        visit("dependencies", &CompoundTables::dependencies);
        visit("name_order", &CompoundTables::name_order);
    }
};

// All tables of a variant. Arrays by piece are indexed by piece number (kind << 2 | 1 << side).
struct RuleTables {
    int width = 0, height = 0;
    int cells = 0;
    std::vector<int> cell_of;                         // point -> cell
    std::vector<int> deltas;                          // vector -> cell offset; the opposite of v is v ^ 1
    int pieces = 0;                                   // size of the arrays by piece
    std::vector<uint64_t> leaps;                      // piece -> bit set of vectors
    std::vector<uint64_t> slides;                     // piece -> bit set of vectors
    std::vector<int> reach;                           // piece * vectors + vector -> longest slide
    std::vector<std::vector<LegTable>> special_legs;  // by piece
    std::array<std::vector<int>, 2> lender_vectors;   // by the borrower's side: where a piece stands whose moves it has
    bool lent_by_own = false, lent_by_enemy = false;  // whose piece that may be
    bool lent_besides = false;                        // the borrower has its own moves, too
    std::vector<int> royal;                           // by piece
    std::vector<int> overlaps;                        // by piece, whether two of its vectors may lead to the same point
    std::vector<int> value;                           // by piece
    std::vector<int> captured;                        // piece -> hand slot, or -1
    std::vector<std::vector<std::vector<Change>>>
        changes;               // piece -> class (counts for zone * 2 + captures) -> results
    std::vector<int> zone_by;  // by piece, the moves that count for the zone
    PointsByPiece may_land, may_drop;
    std::vector<std::vector<int>> zone;   // side -> points
    std::vector<std::vector<int>> drops;  // hand slot -> kinds
    std::vector<int> hand_value;
    std::vector<std::vector<int>> file_groups;  // group -> kinds
    std::vector<NearTable> nears;
    std::vector<int> roots, links;  // by piece, whether it gives support, or passes it on
    int link_reach = 1;             // king's steps from a root within which a link has support
    int anchor = 0;                 // the piece that the window of an unbounded board follows, or EMPTY
    std::vector<RuleTable> rules;
    int repetition = 4;
    bool perpetual_check_loses = false;
    int repetition_loser = -1;  // the side that a repetition without perpetual check loses, or -1 for a draw
    bool single_royal = false;
    std::vector<PiecesBySide> has;
    std::vector<StandsTable> stands;
    std::vector<CountTable> counts;
    std::vector<BesideTable> besides;
    std::vector<std::vector<Term>> survives_if;  // conjunctions of HAS; a side for which none holds has lost
    std::vector<std::vector<Term>> wins_if;      // conjunctions about the board; who fulfils one has won
    bool guarded = false;                        // no move may leave the side's survival attacked
    std::vector<int> survival_pieces;            // by piece, whether survives_if names it
    std::vector<int> critical;                   // by piece, whether its loss may cost its side the game
    std::optional<CompoundTables> compound;

    template <class Visit>
    static void fields(Visit visit) {
        visit("width", &RuleTables::width);
        visit("height", &RuleTables::height);
        visit("cells", &RuleTables::cells);
        visit("cell_of", &RuleTables::cell_of);
        visit("deltas", &RuleTables::deltas);
        visit("pieces", &RuleTables::pieces);
        visit("leaps", &RuleTables::leaps);
        visit("slides", &RuleTables::slides);
        visit("reach", &RuleTables::reach);
        visit("special_legs", &RuleTables::special_legs);
        visit("lender_vectors", &RuleTables::lender_vectors);
        visit("lent_by_own", &RuleTables::lent_by_own);
        visit("lent_by_enemy", &RuleTables::lent_by_enemy);
        visit("lent_besides", &RuleTables::lent_besides);
        visit("royal", &RuleTables::royal);
        visit("overlaps", &RuleTables::overlaps);
        visit("value", &RuleTables::value);
        visit("captured", &RuleTables::captured);
        visit("changes", &RuleTables::changes);
        visit("zone_by", &RuleTables::zone_by);
        visit("may_land", &RuleTables::may_land);
        visit("may_drop", &RuleTables::may_drop);
        visit("zone", &RuleTables::zone);
        visit("drops", &RuleTables::drops);
        visit("hand_value", &RuleTables::hand_value);
        visit("file_groups", &RuleTables::file_groups);
        visit("nears", &RuleTables::nears);
        visit("roots", &RuleTables::roots);
        visit("links", &RuleTables::links);
        visit("link_reach", &RuleTables::link_reach);
        visit("anchor", &RuleTables::anchor);
        visit("rules", &RuleTables::rules);
        visit("repetition", &RuleTables::repetition);
        visit("perpetual_check_loses", &RuleTables::perpetual_check_loses);
        visit("repetition_loser", &RuleTables::repetition_loser);
        visit("single_royal", &RuleTables::single_royal);
        visit("has", &RuleTables::has);
        visit("stands", &RuleTables::stands);
        visit("counts", &RuleTables::counts);
        visit("besides", &RuleTables::besides);
        visit("survives_if", &RuleTables::survives_if);
        visit("wins_if", &RuleTables::wins_if);
        visit("guarded", &RuleTables::guarded);
        visit("survival_pieces", &RuleTables::survival_pieces);
        visit("critical", &RuleTables::critical);
        visit("compound", &RuleTables::compound);
    }
};

}  // namespace komadai
