// Positions of any board size: the rules and the position in the smallest instance of the core that holds them.
#pragma once

#include <memory>
#include <stdexcept>
#include <variant>

#include "layout_text.hpp"
#include "position.hpp"

namespace komadai {

// A template's instance for one of the sizes.
template <template <int> class Of>
using OfAnySize = std::variant<Of<TINY>, Of<SMALL>, Of<MEDIUM>, Of<LARGE>>;

template <int W>
using SharedRules = std::shared_ptr<const Rules<W>>;
using AnyRules = OfAnySize<SharedRules>;
using AnyPosition = OfAnySize<Position>;

inline AnyRules make_rules(const RuleTables& tables) {
    const int points = tables.width * tables.height;
    if (points <= 64 * TINY) return std::make_shared<const Rules<TINY>>(tables);
    if (points <= 64 * SMALL) return std::make_shared<const Rules<SMALL>>(tables);
    if (points <= 64 * MEDIUM) return std::make_shared<const Rules<MEDIUM>>(tables);
    return std::make_shared<const Rules<LARGE>>(tables);
}

// Throws std::invalid_argument if the numbers do not fit the rules.
inline AnyPosition make_position(const AnyRules& rules, const PositionTable& table) {
    return std::visit(
        [&]<int W>(const std::shared_ptr<const Rules<W>>& r) -> AnyPosition {
            Position<W> position(r);
            if (int(table.board.size()) != r->points)
                throw std::invalid_argument("the board has the wrong number of points");
            for (int point = 0; point < r->points; ++point) {
                const int piece = table.board[point];
                if (piece != EMPTY && (piece < 0 || piece >= int(r->info.size()) || !is_piece(Piece(piece))))
                    throw std::invalid_argument("no such piece number");
                if (piece) position.place(r->cell_of[point], Piece(piece));
            }
            for (Side side : {BLACK, WHITE})
                for (size_t slot = 0; slot < table.hands[side].size() && int(slot) < r->hands(); ++slot) {
                    const int count = table.hands[side][slot];
                    if (count < 0 || count > 200) throw std::invalid_argument("no such hand count");
                    position.give(side, int(slot), count);
                }
            if (table.taken_on) {
                if (*table.taken_on < 0 || *table.taken_on >= r->points) throw std::invalid_argument("no such point");
                position.remember(Point(*table.taken_on));
            }
            position.set_side_to_move(Side(table.side_to_move & 1));
            return position;
        },
        rules);
}

// The same position, without the moves that led to it, in the instance for another size; the rules are its own in that
// instance.
template <int To, int From>
Position<To> resized(const Position<From>& from, const SharedRules<To>& rules) {
    Position<To> position(rules);
    for (Side side : {BLACK, WHITE}) {
        from.pieces(side).each([&](Point point) {
            const Cell cell = rules->cell_of[point];
            return position.place(cell, from.at(cell)), false;
        });
        for (int slot = 0; slot < rules->hands(); ++slot) position.give(side, slot, from.in_hand(side, slot));
    }
    position.remember(from.state().taken_on);
    position.set_side_to_move(from.side_to_move());
    return position;
}

}  // namespace komadai
