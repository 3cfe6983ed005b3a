#include "goals.hpp"

#include <algorithm>

namespace komadai {

namespace {

constexpr int MOST_CHANGED = 2;         // the mover, and what it captures
constexpr int MOST_CHANGED_ON_WAY = 9;  // likewise of a compound move

}  // namespace

template <int W>
Goals<W>::Goals(const Rules<W>& rules)
    : rules_(rules),
      starves_(!rules.is_compound && !rules.end_rules.empty() && !rules.survives_if.empty()),
      any_(starves_ || !rules.wins_if.empty()),
      chances_(rules.wins_if.size()) {
    const auto acts = [](const auto& rule) { return rule.action == Action::BECOME || rule.action == Action::REMOVE; };
    simple_ = rules.end_rules.empty() && rules.has_edges() &&
              std::ranges::none_of(rules.compound_rules,
                                   [&](const auto& same_event) { return std::ranges::any_of(same_event, acts); });
    regular_ = simple_ && !rules.is_compound && !rules.irregular;
    most_changed_ = rules.is_compound ? MOST_CHANGED_ON_WAY : MOST_CHANGED;
    for (const auto& asked : rules.stands) {
        auto& may_stand = may_stand_.emplace_back();
        auto& may_drop = may_drop_.emplace_back();
        for (const Side side : {BLACK, WHITE}) {
            const auto wanted = [&](Piece piece) { return asked.wanted[side][piece] != 0; };
            for (const auto& info : rules.info) may_stand[side].push_back(std::ranges::any_of(info.results, wanted));
            for (size_t slot = 0; slot < rules.drops.size(); ++slot)
                if (std::ranges::any_of(rules.drops[slot], [&](int kind) { return wanted(piece_of(kind, side)); }))
                    may_drop[side] |= 1u << slot;
        }
    }
}

template <int W>
std::optional<Move> Goals<W>::reached(Position<W>& position) {
    return within_reach(position.state(), position.side_to_move()) ? try_moves(position) : std::nullopt;
}

template <int W>
bool Goals<W>::threatened(Position<W>& position) {
    if (!within_reach(position.state(), ~position.side_to_move())) return false;
    position.push_null();
    const Takeback taken(position);
    return try_moves(position).has_value();
}

template <int W>
std::optional<Move> Goals<W>::try_moves(Position<W>& position) {
    const Side us = position.side_to_move();
    moves_.clear();
    position.legal_moves(moves_);
    for (const Move move : moves_) {
        if (!may_reach(position.state(), move)) continue;
        position.push(move);
        const Takeback taken(position);
        if (position.outcome_on_board().winner == us) return move;
    }
    return std::nullopt;
}

// Notes the chances of a side that is to move, or would be; returns whether it has any.
template <int W>
bool Goals<W>::within_reach(const State<W>& s, Side side) {
    bool any = starves_;
    for (size_t way = 0; way < chances_.size(); ++way) {
        auto& chances = chances_[way];
        chances.clear();
        for (const Term& term : rules_.wins_if[way]) {
            chances.push_back(chance(s, term, side));
            if (chances.back() != Chance::NONE) continue;
            chances.clear();
            break;
        }
        any |= !chances.empty();
    }
    return any;
}

template <int W>
typename Goals<W>::Chance Goals<W>::chance(const State<W>& s, const Term& term, Side side) const {
    if (!simple_ || !term.expected || end_term_holds(s, term, side, EMPTY)) return Chance::OPEN;
    if (term.condition == Condition::STANDS) return chance_to_stand(s, term.argument, side);
    if (term.condition == Condition::COUNT) return chance_to_count(s, term.argument, side);
    if (term.condition == Condition::GIVES_CHECK && (!rules_.single_royal || !regular_)) return Chance::OPEN;
    return Chance::BY_MOVE;
}

template <int W>
typename Goals<W>::Chance Goals<W>::chance_to_stand(const State<W>& s, int index, Side side) const {
    const auto& asked = rules_.stands[size_t(index)];
    const Bits<W>& region = asked.region[side];
    const auto wanted = [&](Point point) { return asked.wanted[side][s.board[rules_.cell_of[point]]] != 0; };
    if ((s.occupied[side] & region).each(wanted)) return Chance::OPEN;  // it may become safe
    if (!regular_ || s.holding[side] & may_drop_[size_t(index)][side]) return Chance::BY_MOVE;
    const auto comes_near = [&](Point point) {
        const auto& reach = rules_.sets.reach[s.site[point]];
        return may_stand_[size_t(index)][side][s.board[rules_.cell_of[point]]] &&
               (reach.leaps | reach.slides).meets(region);
    };
    return s.occupied[side].each(comes_near) ? Chance::BY_MOVE : Chance::NONE;
}

template <int W>
typename Goals<W>::Chance Goals<W>::chance_to_count(const State<W>& s, int index, Side side) const {
    const auto& asked = rules_.counts[size_t(index)];
    const int far = asked.most + most_changed_ + 1, count = count_up_to(s, index, side, far);
    if (count == far || count + most_changed_ < asked.least) return Chance::NONE;
    return asked.beyond[BLACK].any() || asked.beyond[WHITE].any() ? Chance::OPEN : Chance::BY_MOVE;
}

template <int W>
bool Goals<W>::may_reach(const State<W>& s, Move move) const {
    if (starves_) return true;
    for (size_t way = 0; way < chances_.size(); ++way) {
        const auto& chances = chances_[way];
        bool may = !chances.empty();
        for (size_t i = 0; may && i < chances.size(); ++i)
            may = chances[i] == Chance::OPEN || may_bring(s, rules_.wins_if[way][i], move);
        if (may) return true;
    }
    return false;
}

// Of a condition that does not hold yet: whether it may after that very move.
template <int W>
bool Goals<W>::may_bring(const State<W>& s, const Term& term, Move move) const {
    const Side side = s.side_to_move;
    const auto index = size_t(term.argument);
    switch (term.condition) {
        case Condition::STANDS:
            return rules_.stands[index].wanted[side][move.piece] &&
                   rules_.stands[index].region[side].test(rules_.point_of[move.to]);
        case Condition::HAS:
            return std::ranges::find(rules_.has[index][side], move.piece) != rules_.has[index][side].end();
        case Condition::BESIDE:
            return rules_.besides[index].wanted[side][move.piece] || rules_.besides[index].others[side][move.piece];
        case Condition::COUNT: return move.is_drop() || move.piece != s.board[move.from] || captures_anything(s, move);
        case Condition::GIVES_CHECK: {
            const Cell royal = s.royal[~side];
            return royal != NO_CELL &&
                   (aims(s, move.piece, move.to, royal) ||
                    (!move.is_drop() && rules_.rays[rules_.point_of[royal]].test(rules_.point_of[move.from])));
        }
        default: return true;  // one that this cannot tell of
    }
}

KOMADAI_FOR_EACH_SIZE(class Goals)

}  // namespace komadai
