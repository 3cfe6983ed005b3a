#include "tactics.hpp"

#include <algorithm>

namespace komadai {

template <int W>
bool Tactics<W>::captures_critical(Move move) const {
    if (position_->rules().survives_if.empty() || move.is_drop() ||
        ways_to_survive(position_->state(), ~position_->side_to_move()) > 1)
        return false;
    bool critical = false;
    each_captured(position_->state(), move, [&](Piece piece) { critical |= position_->rules().info[piece].critical; });
    return critical;
}

template <int W>
int RoyalGame<W>::gain(Move move) const {
    if (move.is_drop()) return 0;
    const int won = evaluation_.value(move.piece) - evaluation_.value(position_->at(move.from));
    const Piece taken = position_->at(move.to);
    return taken == EMPTY ? won : won + evaluation_.exchange(taken);
}

template <int W>
bool RoyalGame<W>::wins_exchange(Move move, int threshold) const {
    const auto& r = position_->rules();
    if (this->captures_critical(move)) return true;
    Bits<W> gone;
    if (!move.is_drop()) gone.set(r.point_of[move.from]);
    int balance = gain(move) - threshold;  // for the side that has just moved
    if (balance < 0) return false;
    int victim = evaluation_.exchange(move.piece);
    if (r.info[move.piece].royal) victim = MATE;
    if (balance >= victim + evaluation_.most_change()) return true;  // enough even if the mover is lost
    Side side = ~position_->side_to_move();
    const Side mover = position_->side_to_move();
    auto worth = [&](Piece piece) { return r.info[piece].royal ? MATE : evaluation_.exchange(piece); };
    // `balance` counts for the mover; at each step the side to move may stop.
    for (int step = 0; step < 32; ++step) {
        // The side to recapture stops if it is ahead.
        if (side != mover ? balance < 0 : balance >= 0) break;
        const Cell from = least_attacker(position_->state(), move.to, side, gone, worth);
        if (from == NO_CELL) break;
        const Piece taker = position_->at(from);
        gone.set(r.point_of[from]);
        if (r.info[taker].royal && least_attacker(position_->state(), move.to, ~side, gone, worth) != NO_CELL) break;
        // It promotes to the most valuable kind.
        int after = -MATE, price = 0;
        for (const Change& change :
             r.info[taker].changes[r.move_class(taker, r.point_of[from], r.point_of[move.to], true)])
            if (evaluation_.value(change.piece) > after) {
                after = evaluation_.value(change.piece);
                price = worth(change.piece);
            }
        if (after == -MATE) break;
        const int won = victim + after - evaluation_.value(taker);
        balance += side == mover ? won : -won;
        victim = price;
        side = ~side;
    }
    return balance >= 0;
}

template <int W>
bool RoyalGame<W>::gives_direct_check(Move move) const {
    const Cell royal = position_->royal(~position_->side_to_move());
    return royal != NO_CELL && aims(position_->state(), move.piece, move.to, royal);
}

template <int W>
int RoyalGame<W>::threats(Move drop) const {
    const State<W>& state = position_->state();
    const Rules<W>& rules = position_->rules();
    if (rules.irregular) return 0;
    const Bits<W> reached = rules.sets.reached(state.site[rules.point_of[drop.to]], state.everyone());
    return (reached & state.occupied[position_->side_to_move()]).count();
}

template <int W>
bool CompoundGame<W>::wins_exchange(Move move, int) const {
    if (this->captures_critical(move)) return true;
    const int won = material_swing(position_->state(), move);
    if (won <= 0 || move.piece == EMPTY) return won > 0;
    return won > evaluation_.value(move.piece) ||
           !attacked(position_->state(), move.to, ~position_->side_to_move(), move.from);
}

KOMADAI_FOR_EACH_SIZE(class Tactics)
KOMADAI_FOR_EACH_SIZE(class RoyalGame)
KOMADAI_FOR_EACH_SIZE(class CompoundGame)

}  // namespace komadai
