// Moves taken back: the positions from which a move leads to a given one. For games of single landings on a board with
// edges, in which the end of a turn takes nothing.
#pragma once

#include "position.hpp"

namespace komadai {

template <int W>
class Unmoves {
 public:
    explicit Unmoves(const Rules<W>& rules) : rules_(rules), sources_(rules.info.size()), slots_(rules.info.size()) {
        for (size_t piece = 0; piece < rules.info.size(); ++piece)
            for (size_t move_class = 0; move_class < 4; ++move_class)
                for (const Change& change : rules.info[piece].changes[move_class])
                    sources_[change.piece].push_back({Piece(piece), uint8_t(move_class), change.flags});
        for (int slot = 0; slot < rules.hands(); ++slot)
            for (Side side : {BLACK, WHITE})
                for (int kind : rules.drops[size_t(slot)]) slots_[piece_of(kind, side)].push_back(slot);
        for (int kind = 0; kind < int(rules.info.size() / 4); ++kind)
            for (Side side : {BLACK, WHITE})
                if (const int slot = rules.info[piece_of(kind, side)].captured; slot >= 0)
                    prisoners_[side][size_t(slot)].push_back(piece_of(kind, side));
    }

    // Calls visit(move) for each move that may have led to the position, which must have no moves pushed, while the
    // position is as it was before that move. Whether the side that did not move was in check there, or the game over,
    // is not asked. In the end the position is as at first.
    template <class Visit>
    void each(Position<W>& position, Visit visit) const {
        const Side mover = ~position.side_to_move();
        position.set_side_to_move(mover);
        const Bits<W> pieces = position.pieces(mover);
        pieces.each([&](Point point) {
            undo_drops(position, mover, point, visit);
            undo_landings(position, mover, point, visit);
            return false;
        });
        position.set_side_to_move(~mover);
    }

 private:
    struct Source {
        Piece piece;         // before the move
        uint8_t move_class;  // touches zone * 2 + captures
        uint16_t flags;
    };

    template <class Visit>
    void undo_drops(Position<W>& position, Side mover, Point point, Visit visit) const {
        const Cell cell = rules_.cell_of[point];
        const Piece piece = position.at(cell);
        const auto& info = rules_.info[piece];
        if (!info.may_drop.test(point)) return;
        for (int slot : slots_[piece]) {
            position.place(cell, EMPTY);
            position.give(mover, slot, position.in_hand(mover, slot) + 1);
            const Move move{Cell(slot), cell, piece, DROP};
            if (info.drop_rules.empty() || position.allows(move)) visit(move);
            position.give(mover, slot, position.in_hand(mover, slot) - 1);
            position.place(cell, piece);
        }
    }

    template <class Visit>
    void undo_landings(Position<W>& position, Side mover, Point point, Visit visit) const {
        const Cell cell = rules_.cell_of[point];
        const Piece piece = position.at(cell);
        const auto& info = rules_.info[piece];
        if (!info.may_land.test(point)) return;
        const Bits<W>& zone = rules_.zone[mover];
        for (const Source& source : sources_[piece])
            origins(position, source.piece, cell).each([&](Point origin) {
                if ((zone.test(origin) || zone.test(point)) != bool(source.move_class & 2)) return false;
                const Cell from = rules_.cell_of[origin];
                const Move move{from, cell, piece, source.flags};
                auto before = [&](Piece taken) {
                    position.place(cell, taken);
                    position.place(from, source.piece);
                    if (info.landing_rules.empty() || position.allows(move)) visit(move);
                    position.place(from, EMPTY);
                    position.place(cell, piece);
                };
                if (!(source.move_class & 1)) return before(EMPTY), false;
                for (int slot = 0; slot < rules_.hands(); ++slot) {
                    const int held = position.in_hand(mover, slot);
                    if (!held) continue;
                    position.give(mover, slot, held - 1);
                    for (Piece taken : prisoners_[~mover][size_t(slot)]) before(taken);
                    position.give(mover, slot, held);
                }
                return false;
            });
    }

    // The empty points from which that piece goes to the cell.
    [[nodiscard]] Bits<W> origins(const Position<W>& position, Piece piece, Cell to) const {
        Bits<W> found;
        const auto& info = rules_.info[piece];
        for (const auto& leap : info.leaps) {
            const Cell from = Cell(to - leap.delta);
            if (position.at(from) == EMPTY) found.set(rules_.point_of[from]);
        }
        for (const auto& slide : info.slides) {
            Cell from = Cell(to - slide.delta);
            for (int distance = 1; distance <= slide.reach && position.at(from) == EMPTY; ++distance) {
                found.set(rules_.point_of[from]);
                from = Cell(from - slide.delta);
            }
        }
        return found;
    }

    const Rules<W>& rules_;
    std::vector<std::vector<Source>> sources_;  // by the piece after the move
    std::vector<std::vector<int>> slots_;       // by piece: the hand slots that it may have come from
    std::array<std::array<std::vector<Piece>, MAX_HAND>, 2>
        prisoners_;  // by owner: what lies in that slot once captured
};

}  // namespace komadai
