// Positions of any board size: the rules and the position in the smallest instance of the core that holds them.
#pragma once

#include <memory>
#include <stdexcept>
#include <variant>

#include "layout_text.hpp"
#include "position.hpp"

namespace komadai {

constexpr int SMALL = 2, MEDIUM = 6, LARGE = 10;  // boards of up to 128, 384 and 640 points

using AnyRules = std::variant<std::shared_ptr<const Rules<SMALL>>, std::shared_ptr<const Rules<MEDIUM>>,
                              std::shared_ptr<const Rules<LARGE>>>;
using AnyPosition = std::variant<Position<SMALL>, Position<MEDIUM>, Position<LARGE>>;

inline AnyRules make_rules(const RuleTables& tables) {
    const int points = tables.width * tables.height;
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
                if (piece < 0 || piece >= int(r->info.size()) || piece == WALL)
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

}  // namespace komadai
