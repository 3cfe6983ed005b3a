// A position and the moves that led to it: one interface to royal and to compound moves.
#pragma once

#include <functional>
#include <iterator>

#include "compound.hpp"
#include "royal_moves.hpp"

namespace komadai {

// The pieces and the hand slots that have a legal move.
template <int W>
struct Movers {
    Bits<W> pieces;
    unsigned slots = 0;  // a bit set
};

template <int W>
class Position {
 public:
    explicit Position(std::shared_ptr<const Rules<W>> rules) : state_(std::move(rules)) {}

    // For the functions of attacks.hpp, support.hpp and compound.hpp.
    [[nodiscard]] const State<W>& state() const { return state_; }
    // For what tries changes on it, and takes them back.
    [[nodiscard]] State<W>& live_state() { return state_; }
    [[nodiscard]] const Rules<W>& rules() const { return *state_.rules; }
    [[nodiscard]] Side side_to_move() const { return state_.side_to_move; }
    [[nodiscard]] uint64_t key() const { return state_.key; }
    // The same whatever is in hand.
    [[nodiscard]] uint64_t board_key() const { return state_.key ^ state_.hands_key; }
    [[nodiscard]] uint64_t key_from_scratch() const { return state_.key_from_scratch(); }
    [[nodiscard]] Piece at(Cell cell) const { return state_.board[cell]; }
    // Of plain games: board_key() after a move.
    [[nodiscard]] uint64_t board_key_after(Move move) const {
        const Rules<W>& r = rules();
        const Point to = r.point_of[move.to];
        uint64_t found = board_key() ^ r.side_key ^ r.key(at(move.to), to) ^ r.key(move.piece, to);
        if (!move.is_drop()) found ^= r.key(at(move.from), r.point_of[move.from]);
        return found;
    }
    [[nodiscard]] const std::array<uint8_t, MAX_HAND>& hand(Side side) const { return state_.hand[side]; }
    [[nodiscard]] int in_hand(Side side, int slot) const { return state_.hand[side][slot]; }
    [[nodiscard]] const Bits<W>& pieces(Side side) const { return state_.occupied[side]; }
    [[nodiscard]] Cell royal(Side side) const { return state_.royal[side]; }
    [[nodiscard]] size_t plies() const { return state_.played.size(); }
    // The key before the ply of that number, from 0.
    [[nodiscard]] uint64_t past_key(size_t ply) const { return state_.played[ply].key; }
    // True if the last move was made by push_noting_check() and gave check.
    [[nodiscard]] bool last_gave_check() const { return !state_.played.empty() && state_.played.back().gave_check; }

    // Whatever throws for want of memory leaves the position as it was; a list of moves may have grown.

    // Set a position up, before the first push.
    void place(Cell cell, Piece piece) { state_.place(cell, piece); }
    void give(Side side, int slot, int count) { state_.give(side, slot, count); }
    void set_side_to_move(Side side) { state_.set_side_to_move(side); }
    void remember(Point taken_on) { state_.set_taken_on(taken_on); }

    void push(Move move) {
        if (rules().in_place) return state_.make_in_place(move);
        state_.make(move, [&] {
            if (rules().is_compound)
                CompoundMoves<W>(state_).play(move);
            else
                play_royal_move(state_, move);
        });
    }
    void pop() { state_.pop(); }
    // A null move, for the search alone.
    void push_null() {
        state_.make(Move{}, [&] { state_.remember(NO_POINT); });
        ++state_.stamp;
    }
    // As push(), and notes whether the move gave check, as outcome() needs it of every move.
    void push_noting_check(Move move) {
        push(move);
        state_.played.back().gave_check = rules().plain() ? gave_check(state_, move)
                                          : rules().survives_if.empty() && !rules().is_compound
                                              ? royal_attacked(state_, state_.side_to_move)
                                              : threatens_the_last_way();
    }

    // True if a royal piece is attacked, or the side's survival is threatened.
    [[nodiscard]] bool in_check(Side side) {
        return royal_in_check(side) ||
               (rules().is_compound ? CompoundMoves<W>(state_).threatened(side) : survival_attacked(state_, side));
    }
    // True if a royal piece is attacked, or the side's survival where that has to be guarded.
    [[nodiscard]] bool royal_in_check(Side side) {
        if (!rules().is_compound) return royal_attacked(state_, side);
        return rules().has_royal && CompoundMoves<W>(state_).royal_attacked(side);
    }

    // Legal moves by the fastest sound path, or by the generic one, which tries every move.
    void legal_moves(MoveList& moves) {
        rules().is_compound ? CompoundMoves<W>(state_).legal(moves) : RoyalMoves<W>(state_).legal(moves);
    }
    // Those of the piece on a cell, or of drops from a hand slot.
    void legal_moves_of(Cell from, bool drops, MoveList& moves) {
        if (rules().is_compound && !drops) return CompoundMoves<W>(state_).legal_of(rules().point_of[from], moves);
        MoveList all;
        legal_moves(all);
        std::ranges::copy_if(all, std::back_inserter(moves),
                             [&](const Move& move) { return move.from == from && move.is_drop() == drops; });
    }
    [[nodiscard]] Movers<W> movers() {
        if (rules().is_compound && !rules().has_hands_or_royals()) return {CompoundMoves<W>(state_).movers(), 0};
        Movers<W> found;
        std::vector<MovesTo<W>> groups;
        legal_moves(groups);
        for (const auto& [move, targets] : groups) {
            if (!targets.any()) continue;
            if (move.is_drop())
                found.slots |= 1u << move.from;
            else
                found.pieces.set(rules().point_of[move.from]);
        }
        return found;
    }
    // Likewise, single landings and drops that differ only in their target together.
    void legal_moves(std::vector<MovesTo<W>>& groups) {
        if (!rules().is_compound) return RoyalMoves<W>(state_).legal(groups);
        MoveList moves;
        legal_moves(moves);
        for (const Move& move : moves) groups.push_back({move, Bits<W>::only(rules().point_of[move.to])});
    }
    void legal_moves_generic(MoveList& moves) {
        rules().is_compound ? CompoundMoves<W>(state_, CompoundMoves<W>::Path::GENERIC).legal(moves)
                            : RoyalMoves<W>(state_, RoyalMoves<W>::Path::GENERIC).legal(moves);
    }
    // Of single landings: whether no rule forbids a move that follows the piece's movement; check is another question.
    [[nodiscard]] bool allows(Move move) { return RoyalMoves<W>(state_).allows(move); }
    [[nodiscard]] bool has_legal_move() {
        return rules().is_compound ? CompoundMoves<W>(state_).any() : RoyalMoves<W>(state_).any();
    }
    [[nodiscard]] uint64_t count_legal_moves() {
        return rules().is_compound ? CompoundMoves<W>(state_).count() : RoyalMoves<W>(state_).count();
    }
    // What the legal moves do. Only for games without compound moves in which each side has one royal piece.
    [[nodiscard]] Kinds<W> kinds_of_moves() { return RoyalMoves<W>(state_).kinds(); }
    [[nodiscard]] bool drops_may_parry() { return RoyalMoves<W>(state_).drops_may_parry(); }
    // Legal captures and changes of kind on the board, for quiescence; with the drops that give check if asked for.
    void legal_captures(MoveList& moves, bool with_checks = false);
    // Legal moves that give check; the generic path makes every legal move and looks.
    void legal_checks(MoveList& moves);
    void legal_checks_generic(MoveList& moves);
    // `poll` is called now and then from within; it may throw to give up.
    uint64_t perft(int depth, bool bulk, bool generic, const std::function<void()>& poll);

    [[nodiscard]] Outcome outcome();
    // Its part that follows where the side to move has no legal move.
    [[nodiscard]] Outcome outcome_without_moves() {
        const Side us = state_.side_to_move;
        return {royal_in_check(us) ? End::CHECKMATE : End::STALEMATE, ~us};
    }
    // Its part that the pieces on the board decide.
    [[nodiscard]] Outcome outcome_on_board() const { return end_on_board(state_); }
    // A move that wins the game at once; an empty one if there is none.
    [[nodiscard]] Move winning_move();
    // How often this position was there before.
    [[nodiscard]] int earlier_occurrences() const {
        int found = 0;
        for (size_t i = plies(); i >= 2;) found += past_key(i -= 2) == key();
        return found;
    }
    // See State.
    [[nodiscard]] Outcome repetition(int occurrences, size_t since = 0) const {
        return state_.repetition(occurrences, since);
    }
    [[nodiscard]] std::vector<uint64_t> keys_before_repetition() const { return state_.keys_before_repetition(); }

    // The points where a piece of that role has support.
    [[nodiscard]] Bits<W> support(Role role) const { return area_of(state_, role, support_now(state_)); }
    // The pieces of the side to move that the end of its turn takes after the move.
    [[nodiscard]] Bits<W> losses(Move move);
    // Of compound moves: the pieces of the side to move that may not move at all.
    [[nodiscard]] Bits<W> immobilized() const { return CompoundMoves<W>::start_of_turn(state_).immobilized; }

 private:
    uint64_t perft(int depth, bool bulk, bool generic, const std::function<void()>& poll, std::vector<MoveList>& lists);
    [[nodiscard]] bool threatens_the_last_way();

    State<W> state_;
};

KOMADAI_EXTERN_EACH_SIZE(class Position)

}  // namespace komadai
