// The rule tables of a variant: plain numbers, written by src/komadai/compiler and read by Rules.
//
// The Python bindings and the text form (layout_text.hpp) are made from the lists of fields and values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "fields.hpp"
#include "types.hpp"

namespace komadai {

// The conditions that need a live position; all others are folded into sets of points. The cheapest come first.
#define KOMADAI_CONDITIONS                                                                                  \
    ON_FILE, IN_HAND, CAPTURES, NEAR, SUPPORTED, BEYOND_SUPPORT, GIVES_CHECK, MATES, HAS, IN_SIGHT, STANDS, \
        JUST_TAKEN, TAKES, COUNT, BESIDE
enum class Condition : int { KOMADAI_CONDITIONS };

// When a rule applies. Compound moves have the events from TURN_START on.
#define KOMADAI_EVENTS DROPS, LANDS, TURN_END, TURN_START, ARRIVES, SHOOTS, BECAME, AT_ALL_TIMES, WHOLE_TURN
enum class Event : int { KOMADAI_EVENTS };
constexpr size_t EVENTS = size_t(Event::WHOLE_TURN) + 1;

// The effect of a rule on a compound move.
#define KOMADAI_ACTIONS FORBID, IMMOBILIZE, BECOME, REMOVE
enum class Action : int { KOMADAI_ACTIONS };

// The moves that count for the promotion zone, as bits: those that start or end in it; that enter it; that capture and
// start or end in it; that end on the farthest rank.
enum : int { ZONE_TOUCH = 1, ZONE_ENTRY = 2, ZONE_CAPTURE = 4, ZONE_LAST_RANK = 8 };

// Shots of a piece from its place, without a landing.
#define KOMADAI_STANDING_SHOTS NEVER, ONLY, MAY
enum class StandingShot : int { KOMADAI_STANDING_SHOTS };

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

    KOMADAI_FIELDS(Term, condition, expected, argument)
};

// One possible result of a move: the piece that it leaves on the board, and the flags of its notation.
struct Change {
    Piece piece;
    uint16_t flags;

    KOMADAI_FIELDS(Change, piece, flags)
};

// NEAR: another of these pieces, `least` to `most` king's steps away.
struct NearTable {
    int least, most;
    bool supported;       // only pieces that have support count
    PiecesBySide wanted;  // by the mover's side

    KOMADAI_FIELDS(NearTable, least, most, supported, wanted)
};

// One conjunction: forbids a move whose piece lands in `where[piece]` if every term is as expected. With TURN_END it
// applies to every piece of the mover after the move, and the piece goes to the opponent's hand.
struct RuleTable {
    std::vector<Event> events;
    bool about_mate;  // the rule asks for mate, in this conjunction or in another
    PointsByPiece where;
    std::vector<Term> terms;  // cheapest first

    KOMADAI_FIELDS(RuleTable, events, about_mate, where, terms)
};

// IN_SIGHT: pieces that look along lines.
struct SightTable {
    PiecesBySide lookers;             // by the side of the piece looked at
    std::array<uint64_t, 2> vectors;  // bit sets, by the side of the looker
    bool through;                     // pieces do not block the line

    KOMADAI_FIELDS(SightTable, lookers, vectors, through)
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

    KOMADAI_FIELDS(CompoundRuleTable, number, event, where, terms, action, barred, into, others, targets, most)
};

// STANDS: one of these pieces in a region.
struct StandsTable {
    PiecesBySide wanted;                     // by the side of the piece
    std::array<std::vector<int>, 2> region;  // points, likewise
    bool safe;                               // only where the other side does not attack it

    KOMADAI_FIELDS(StandsTable, wanted, region, safe)
};

// TAKES: the turn captures one of these pieces, `least` to `most` king's steps from its start.
struct TakesTable {
    PiecesBySide wanted;  // by the mover's side
    int least, most;
    bool is_protected;  // only where another piece of its side could capture
    bool elsewhere;     // only on another point than the capture that the position remembers

    KOMADAI_FIELDS(TakesTable, wanted, least, most, is_protected, elsewhere)
};

// COUNT: how many of these pieces there are.
struct CountTable {
    PiecesBySide wanted;  // by the side asked about
    int least, most;
    std::array<std::vector<int>, 2> beyond;  // by the side of the piece: points where it does not count

    KOMADAI_FIELDS(CountTable, wanted, least, most, beyond)
};

// BESIDE: one of these pieces a king's step from one of the others.
struct BesideTable {
    PiecesBySide wanted, others;  // by the side asked about

    KOMADAI_FIELDS(BesideTable, wanted, others)
};

// A move of several leaps.
struct WalkTable {
    uint64_t first;  // bit set of vectors
    int least, most;
    bool revisits;
    std::vector<uint64_t> next;  // vector -> bit set of vectors that may follow

    KOMADAI_FIELDS(WalkTable, first, least, most, revisits, next)
};

// A way of a piece along a vector that is no plain leap or slide.
struct LegTable {
    int vector;
    int reach;      // in steps of the vector
    bool hops;      // over exactly one piece, behind which it lands
    bool quiet;     // it may end on an empty point
    bool captures;  // it may end on an opponent's piece

    KOMADAI_FIELDS(LegTable, vector, reach, hops, quiet, captures)
};

struct ShotTable {
    std::vector<int> vectors;
    int reach, targets;
    bool over, after_capture, each_landing;
    StandingShot standing;
    std::vector<int> least_distance;  // by target piece; 0: cannot be shot

    KOMADAI_FIELDS(ShotTable, vectors, reach, targets, over, after_capture, each_landing, standing, least_distance)
};

// For a side that has one of `needed`, each of `dependents` is worth more.
struct DependencyTable {
    PiecesBySide needed, dependents;
    int worth;

    KOMADAI_FIELDS(DependencyTable, needed, dependents, worth)
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

    KOMADAI_FIELDS(CompoundTables, walks, shots, cannot_capture, captures_promote_to, promotes_by_capturing, sights,
                   rules, takes, remembered, captors, dependencies, name_order)
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
    std::optional<int> anchor;      // the piece that the window of an unbounded board follows
    std::vector<RuleTable> rules;
    int repetition = 4;
    bool perpetual_check_loses = false;
    std::optional<int> repetition_loser;  // the side that a repetition without perpetual check loses; none: a draw
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

    KOMADAI_FIELDS(RuleTables, width, height, cells, cell_of, deltas, pieces, leaps, slides, reach, special_legs,
                   lender_vectors, lent_by_own, lent_by_enemy, lent_besides, royal, overlaps, value, captured, changes,
                   zone_by, may_land, may_drop, zone, drops, hand_value, file_groups, nears, roots, links, link_reach,
                   anchor, rules, repetition, perpetual_check_loses, repetition_loser, single_royal, has, stands,
                   counts, besides, survives_if, wins_if, guarded, survival_pieces, critical, compound)
};

}  // namespace komadai
