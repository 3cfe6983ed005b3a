// Rule tables of a small game for the tests: a king, a rook and a pawn that promotes, with drops, by default on 5x5.
#pragma once

#include "any_position.hpp"

namespace komadai::test {

enum Kind : int { KING, ROOK, PAWN, GOLD, KINDS };
enum Vector : int { UP, DOWN, LEFT, RIGHT, UP_LEFT, DOWN_RIGHT, UP_RIGHT, DOWN_LEFT, VECTORS };

inline RuleTables small_tables(int width = 5, int height = 5) {
    const int stride = width + 1;
    RuleTables t;
    t.width = width;
    t.height = height;
    t.cells = stride * (height + 2) + 2;
    std::vector<int> everywhere;
    for (int point = 0; point < width * height; ++point) {
        t.cell_of.push_back(1 + (point / width + 1) * stride + point % width);
        everywhere.push_back(point);
    }
    t.deltas = {-stride, stride, -1, 1, -stride - 1, stride + 1, -stride + 1, stride - 1};
    t.pieces = 4 * KINDS;
    const auto pieces = size_t(t.pieces);
    t.leaps.assign(pieces, 0);
    t.slides.assign(pieces, 0);
    t.reach.assign(pieces * VECTORS, 0);
    t.royal.assign(pieces, 0);
    t.overlaps.assign(pieces, 0);
    t.value.assign(pieces, 100);
    t.captured.assign(pieces, -1);
    t.roots.assign(pieces, 0);
    t.links.assign(pieces, 0);
    t.survival_pieces.assign(pieces, 0);
    t.critical.assign(pieces, 0);
    t.changes.assign(pieces, std::vector<std::vector<Change>>(4));
    t.may_land.assign(pieces, everywhere);
    t.may_drop.assign(pieces, everywhere);
    t.zone_by.assign(pieces, ZONE_TOUCH);
    t.zone = {{everywhere.begin(), everywhere.begin() + width}, {everywhere.end() - width, everywhere.end()}};
    t.drops = {{ROOK}, {PAWN}};
    t.hand_value = {100, 100};
    t.single_royal = true;
    t.special_legs.resize(size_t(t.pieces));
    for (Side side : {BLACK, WHITE})
        for (int kind = 0; kind < KINDS; ++kind) {
            const Piece piece = piece_of(kind, side);
            auto seen = [&](int vector) { return side == BLACK ? vector : vector ^ 1; };
            for (int vector = 0; vector < VECTORS; ++vector) {
                const bool straight = vector < UP_LEFT;
                const int reach = kind == KING                                          ? 1
                                  : kind == ROOK                                        ? (straight ? 255 : 0)
                                  : kind == PAWN                                        ? (vector == UP)
                                  : straight || vector == UP_LEFT || vector == UP_RIGHT ? 1
                                                                                        : 0;
                t.reach[size_t(piece * VECTORS + seen(vector))] = reach;
                if (reach == 1) t.leaps[piece] |= uint64_t(1) << seen(vector);
                if (reach > 1) t.slides[piece] |= uint64_t(1) << seen(vector);
            }
            for (size_t move_class = 0; move_class < 4; ++move_class) {
                const bool promotes = kind == PAWN && move_class >= 2;
                t.changes[piece][move_class] = {
                    {promotes ? piece_of(GOLD, side) : piece, uint16_t(promotes * PROMOTES)}};
            }
            t.royal[piece] = kind == KING;
            t.captured[piece] = kind == ROOK ? 0 : kind == KING ? -1 : 1;
        }
    return t;
}

inline Position<SMALL> small_position(const std::vector<std::pair<int, Piece>>& placed, Side side_to_move = BLACK) {
    Position<SMALL> position(std::make_shared<const Rules<SMALL>>(small_tables()));
    for (auto [point, piece] : placed) position.place(position.rules().cell_of[size_t(point)], piece);
    position.set_side_to_move(side_to_move);
    return position;
}

// Both kings, a rook each and pawns face to face.
inline Position<SMALL> busy_position() {
    return small_position({{22, piece_of(KING, BLACK)},
                           {20, piece_of(ROOK, BLACK)},
                           {17, piece_of(PAWN, BLACK)},
                           {2, piece_of(KING, WHITE)},
                           {4, piece_of(ROOK, WHITE)},
                           {12, piece_of(PAWN, WHITE)}});
}

}  // namespace komadai::test
