// The legal moves of a position as a tree of steps, from which people compose a move: select 8h, capture 2b, promote.
// Paths that reach the same state share a node. No path begins another.
#pragma once

#include "move_names.hpp"
#include "position.hpp"

namespace komadai {

enum class StepType : int { SELECT, DROP, FACE, GO, CAPTURE, SHOOT, PROMOTE, STOP };

struct Step {
    StepType type;
    int at = -1;     // the point, for SELECT, GO, CAPTURE and SHOOT
    int kind = -1;   // DROP: the hand slot; FACE, PROMOTE, STOP: the kind that the piece is then, -1: it has left
    int takes = -1;  // the kind that a CAPTURE or SHOOT takes
    int gains = -1;  // the hand slot where a captured piece comes; -1: it leaves the game
    int to = 0;      // the node that it leads to; ~leaf if it is the last
};

struct Leaf {
    int kind;     // of the piece on the target after the move, -1: it has left the game
    int present;  // an index of `presences`: after the move
};

// What a move does besides: pieces that it loses, captures, removes otherwise, and turns.
enum class Effect : int { LOSES, CAPTURES, BURNS, TURNS };

struct LeafEffect {
    int leaf;
    Effect effect;
    int point;      // before the move
    int kind = -1;  // TURNS: what stands there afterwards
};

struct StepTree {
    std::vector<int> first;   // node -> its first step; one more number than there are nodes, the root is 0
    std::vector<Step> steps;  // by node, in the order in which they are shown
    MoveList moves;           // by leaf; several leaves may be the same move
    std::vector<Leaf> leaves;
    std::vector<LeafEffect> effects;          // in the order of their leaves, effects and points
    std::vector<std::vector<int>> presences;  // the pieces on the board of those that rules name; the first: now
};

template <int W>
[[nodiscard]] StepTree step_tree(const Position<W>& position, const MoveNames& names);

// The part of the tree below the choice of the piece that the move `first` moves or drops, without the effects of the
// leaves; `first` needs no more than its origin and whether it is a drop.
template <int W>
[[nodiscard]] StepTree steps_of_piece(Position<W>& position, Move first);

}  // namespace komadai
