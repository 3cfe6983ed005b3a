// Which points the pieces of each side reach.
#pragma once

#include "position.hpp"

namespace komadai {

// By side: the points that its pieces reach, those of their own side among them; and those that two or more reach.
template <int W>
struct Reached {
    std::array<Bits<W>, 2> once{}, twice{};
};

// Calls visit(side, point, reached) for each piece; not in games of compound moves.
template <int W, class Visit>
Reached<W> reached_by_each(const Rules<W>& rules, const State<W>& state, Visit visit) {
    Reached<W> found;
    const Bits<W> pieces = state.everyone();
    for (Side side : {BLACK, WHITE})
        state.occupied[side].each([&](Point point) {
            const Bits<W> reached = rules.sets.reached(state.site[point], pieces);
            found.twice[side] |= found.once[side] & reached;
            found.once[side] |= reached;
            visit(side, point, reached);
            return false;
        });
    return found;
}

template <int W>
Reached<W> reached_by_all(const Rules<W>& rules, const State<W>& state) {
    return reached_by_each(rules, state, [](Side, Point, const Bits<W>&) {});
}

}  // namespace komadai
