// The numbers that say what the search leaves out, found by tools/spsa.py (docs/reference/search.md).
//
// They are constants, but in a core built with KOMADAI_TUNING, whose Python module can read and set them.
#pragma once

#ifdef KOMADAI_TUNING
#include <string_view>
#include <vector>
#endif

// Each is given as (name, value, least, greatest), with the value of games whose moves have one landing. Scores are in
// shogi's hundredths of a pawn and reductions in hundredths of a ply; depth is in plies.
#define KOMADAI_EACH_SEARCH_NUMBER(number)              \
    /* Quiescence: what a capture may miss alpha by. */ \
    number(QUIESCENCE_MARGIN, 250, 0, 800)                                                                         \
    /* Razoring: the margin at depth 0, and its growth with depth. */                                              \
    number(RAZORING, 280, 0, 900)                                                                                  \
    number(RAZORING_BY_DEPTH, 210, 0, 600)                                                                         \
    /* Reverse futility: the margin by depth. */                                                                   \
    number(REVERSE_FUTILITY, 150, 30, 400)                                                                         \
    /* Null move: what the static score may miss beta by, by depth; hundredths of a ply that the search is less */ \
    /* deep, at depth 0 and by depth; the excess over beta that makes it one ply less. */                          \
    number(NULL_MARGIN, 20, 0, 100)                                                                                \
    number(NULL_REDUCTION, 290, 100, 600)                                                                          \
    number(NULL_REDUCTION_BY_DEPTH, 60, 0, 100)                                                                    \
    number(NULL_EXCESS, 120, 30, 600)                                                                              \
    /* Late moves: how many quiet ones are tried, at depth 0 and, in tenths, by the square of depth. */            \
    number(LATE_MOVES, 4, 0, 20)                                                                                   \
    number(LATE_MOVES_BY_DEPTH, 60, 10, 200)                                                                       \
    /* Futility: the margin at reduced depth 0, and its growth. */                                                 \
    number(FUTILITY, 30, -100, 400)                                                                                \
    number(FUTILITY_BY_DEPTH, 170, 40, 500)                                                                        \
    /* What a capture may lose by depth, and a quiet move by the square of its reduced depth. */                   \
    number(CAPTURE_LOSS, 270, 50, 800)                                                                             \
    number(QUIET_LOSS, 43, 5, 200)                                                                                 \
    /* The history, below zero and by reduced depth, at which a quiet move is left out. */                         \
    number(HISTORY_LIMIT, 8000, 1000, 20000)                                                                       \
    /* Reductions: of the first moves; thousandths by which the logarithms' product is divided for the others. */  \
    number(REDUCTION, 70, -100, 200)                                                                               \
    number(REDUCTION_DIVISOR, 23, 10, 60)                                                                          \
    /* More where the static score falls; less near the principal variation, for killers, by history (the sum of */ \
    /* histories that makes a hundredth), for a piece that a drop attacks, for captures, for checks. */            \
    number(NOT_IMPROVING, 270, 0, 500)                                                                             \
    number(NEAR_PV, 120, 0, 400)                                                                                   \
    number(KILLER, 200, 0, 500)                                                                                    \
    number(HISTORY_DIVISOR, 94, 30, 400)                                                                           \
    number(HISTORY_MOST, 200, 50, 500)                                                                             \
    number(DROP_THREAT, 50, 0, 200)                                                                                \
    number(CAPTURE, 100, 0, 400)                                                                                   \
    number(CHECK, 135, 0, 400)                                                                                     \
    /* Singular extension: tenths by depth that the other moves must be worse by. */                               \
    number(SINGULAR_MARGIN, 20, 0, 100)                                                                            \
    /* Aspiration: the first window's half width. */                                                               \
    number(ASPIRATION, 55, 10, 300)                                                                                \
    /* The sum of correction histories that is a hundredth. */                                                     \
    number(CORRECTION_UNIT, 51, 10, 200)                                                                           \
    /* What a cutoff adds to histories: by the square of depth, by depth, at most. */                              \
    number(BONUS_SQUARE, 30, 0, 120)                                                                               \
    number(BONUS_BY_DEPTH, 250, 0, 800)                                                                            \
    number(BONUS_MOST, 2100, 300, 6000)

namespace komadai {

struct SearchNumbers {
#define KOMADAI_SEARCH_NUMBER(name, value, least, greatest) int name = value;
    KOMADAI_EACH_SEARCH_NUMBER(KOMADAI_SEARCH_NUMBER)
#undef KOMADAI_SEARCH_NUMBER
};

#ifdef KOMADAI_TUNING
#define KOMADAI_SEARCH_NUMBERS inline SearchNumbers

struct SearchNumber {
    std::string_view name;
    int SearchNumbers::* value;
    int least, greatest;
};

#define KOMADAI_SEARCH_NUMBER(name, value, least, greatest) {#name, &SearchNumbers::name, least, greatest},
inline const std::vector<SearchNumber> EACH_SEARCH_NUMBER{KOMADAI_EACH_SEARCH_NUMBER(KOMADAI_SEARCH_NUMBER)};
#undef KOMADAI_SEARCH_NUMBER

#else
#define KOMADAI_SEARCH_NUMBERS inline constexpr SearchNumbers
#endif

// Of games whose moves have one landing, and of games of compound moves. The braces name the numbers that differ from
// those above; so far none does.
KOMADAI_SEARCH_NUMBERS ROYAL_NUMBERS{};
KOMADAI_SEARCH_NUMBERS COMPOUND_NUMBERS{};

#undef KOMADAI_SEARCH_NUMBERS

}  // namespace komadai
