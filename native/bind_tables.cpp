// The bindings of the rule tables.
#include <sstream>

#include "bind.hpp"
#include "layout_text.hpp"
#include "relative.hpp"
#include "strategy_check.hpp"

namespace komadai {
namespace {

// Rule tables and a position as text, for komadai_perft.
std::string as_text(const RuleTables& tables, int side_to_move, std::vector<int> board,
                    std::array<std::vector<int>, 2> hands, std::optional<int> taken_on) {
    std::ostringstream out;
    write_text(out, tables);
    write_text(out, PositionTable{side_to_move, std::move(board), std::move(hands), taken_on});
    return out.str();
}

void bind_enums(nb::module_& m) {
#define KOMADAI_VALUE(of, name) .value(#name, of::name)
    nb::enum_<Condition>(m, "Condition", "The conditions that need a live position, cheapest first.")
        KOMADAI_EACH(KOMADAI_VALUE, Condition, KOMADAI_CONDITIONS);
    nb::enum_<Event>(m, "Event", "When a rule applies.") KOMADAI_EACH(KOMADAI_VALUE, Event, KOMADAI_EVENTS);
    nb::enum_<Action>(m, "Action", "The effect of a rule on a compound move.")
        KOMADAI_EACH(KOMADAI_VALUE, Action, KOMADAI_ACTIONS);
    nb::enum_<StandingShot>(m, "StandingShot", "Shots of a piece from its place, without a landing.")
        KOMADAI_EACH(KOMADAI_VALUE, StandingShot, KOMADAI_STANDING_SHOTS);
    nb::enum_<End>(m, "End", "How a game ended by its rules.") KOMADAI_EACH(KOMADAI_VALUE, End, KOMADAI_ENDS);
#undef KOMADAI_VALUE
}

}  // namespace

void bind_tables(nb::module_& m) {
    bind_enums(m);
    bind_record<Term>(m, "Term", "One condition of a conjunction.");
    bind_record<Change>(m, "Change", "One possible result of a move.");
    bind_record<NearTable>(m, "NearTable", "The pieces that a condition NEAR looks for.");
    bind_record<RuleTable>(m, "RuleTable", "One conjunction that forbids moves.");
    bind_record<StandsTable>(m, "StandsTable", "The pieces and the region that a condition STANDS looks for.");
    bind_record<TakesTable>(m, "TakesTable", "The captures that a condition TAKES looks for.");
    bind_record<CountTable>(m, "CountTable", "The pieces that a condition COUNT counts.");
    bind_record<BesideTable>(m, "BesideTable", "The pieces that a condition BESIDE looks for.");
    bind_record<SightTable>(m, "SightTable", "The pieces that a condition IN_SIGHT looks from.");
    bind_record<CompoundRuleTable>(m, "CompoundRuleTable", "One conjunction about compound moves.");
    bind_record<LegTable>(m, "LegTable", "A way of a piece along a vector that is no plain leap or slide.");
    bind_record<WalkTable>(m, "WalkTable", "A move of several leaps.");
    bind_record<ShotTable>(m, "ShotTable", "The shots of a piece.");
    bind_record<DependencyTable>(m, "DependencyTable", "Pieces that are worth more beside others.");
    bind_record<CompoundTables>(m, "CompoundTables", "The tables of a game of compound moves.");
    bind_record<RuleTables>(m, "RuleTables", "The tables of a variant.");
    bind_record<Symmetry>(m, "Symmetry", "A symmetry of the rules of a solved game: native/relative.hpp.");
    bind_record<Image>(m, "Image", "A symmetry that a certificate names: native/strategy_check.hpp.");
    bind_record<Family>(m, "Family", "Kinds that promote or demote to each other, of which there is a fixed number.");
    m.def("as_text", &as_text, "tables"_a, "side_to_move"_a, "board"_a, "hands"_a, "taken_on"_a.none() = nb::none(),
          "Rule tables and a position as text, for komadai_perft.");
}

}  // namespace komadai
