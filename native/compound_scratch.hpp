// What the generation of compound moves works with: room that is kept, and changes that are taken back.
#pragma once

#include <algorithm>

#include "kept_moves.hpp"

namespace komadai {

// The results of the walks of one piece, kept from one generation to the next for their capacity.
template <int W>
struct CompoundScratch {
    struct Found {
        uint64_t key, order;
        Move move;
    };
    std::vector<Found> found;
    std::vector<uint64_t> states;
    MoveList room;
    std::array<KeptMoves<W>, 2> kept;  // by side

    // True if the state was here before; it is from now on. A full table forgets, which only costs time.
    bool revisited(uint64_t state) {
        if (states.empty()) states.resize(4096);
        state |= 1;
        for (size_t i = state >> 20, tries = 0; tries < 16; ++i, ++tries) {
            uint64_t& slot = states[i & (states.size() - 1)];
            if (slot == state) return true;
            if (slot == 0) {
                slot = state;
                return false;
            }
        }
        return false;
    }
    void forget() { std::fill(states.begin(), states.end(), 0); }
};

// Undoes at the end of a scope what was tried on the state, where the scope ends before that is undone: it may throw.
template <int W>
class Undone {
 public:
    explicit Undone(State<W>& state) : state_(state), mark_(state.journal.size()), side_(state.side_to_move) {}
    Undone(const Undone&) = delete;
    Undone& operator=(const Undone&) = delete;
    ~Undone() {
        state_.rewind(mark_);
        state_.side_to_move = side_;
    }

 private:
    State<W>& state_;
    size_t mark_;
    Side side_;
};

// A landing in the middle of a walk that changes nothing but two points, made on the mailbox and the key alone, and
// taken back at the end of the scope.
template <int W>
class Lifted {
 public:
    Lifted(State<W>& state, Cell from, Cell to)
        : state_(state), from_(from), to_(to), mover_(state.board[from]), taken_(state.board[to]), key_(state.key) {
        const Rules<W>& r = *state.rules;
        const Point start = r.point_of[from], target = r.point_of[to];
        state.key ^= r.key(mover_, start) ^ r.key(mover_, target) ^ r.key(taken_, target);
        state.board[from] = EMPTY;
        state.board[to] = mover_;
    }
    Lifted(const Lifted&) = delete;
    Lifted& operator=(const Lifted&) = delete;
    ~Lifted() {
        state_.board[to_] = taken_;
        state_.board[from_] = mover_;
        state_.key = key_;
    }
    [[nodiscard]] Piece taken() const { return taken_; }

 private:
    State<W>& state_;
    Cell from_, to_;
    Piece mover_, taken_;
    uint64_t key_;
};

}  // namespace komadai
