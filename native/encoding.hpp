// How environments for learning see a game: positions as planes of bytes, moves as numbers of actions. What each plane
// and action is, src/komadai/lab/rl/encoding.py decides; its tables are plain numbers, as those of the rules are.
//
// Everything is seen by the side to move, with its own side of the board at the bottom: a cell is an index in reading
// order of the board, turned for White. Without edges the cell in the middle is that of the mover's royal piece, and
// the board is a torus: all pieces stand within the window of the other royal piece, so that no two share a cell.
#pragma once

#include <optional>

#include "steps.hpp"

namespace komadai {

// Actions are flat (one for each move) or steps (several in a turn). Planes: a block for each of the last `history`
// positions (own kinds, enemy kinds, own hand, enemy hand, repetitions), then side, check, the capture that the
// position remembers where rules ask for it, and for steps what has been done in the turn.
struct EncodingTables {
    bool steps;
    int history;
    int repetitions;  // planes of each block for earlier occurrences
    bool remembers;   // rules ask for the last capture
    // Flat: action = plane * cells + target.
    std::vector<std::array<int, 3>> ways;               // right, ahead, and whether it hops over a piece
    std::vector<std::vector<std::array<int, 2>>> legs;  // kind -> its ways, and how many steps of them it may take
    int promotes;                                       // the choice of moves with the flag PROMOTES
    std::vector<int> choices;                // kind -> the choice of moves with the flag CHOOSES; the action, for steps
    std::vector<std::vector<int>> plane_of;  // way -> choice -> plane, -1: none
    std::vector<int> drop_planes;            // kind -> plane, -1: none
    int action_planes;
    // Steps: the first action of each sort; -1: the game has none.
    int go, shoot, drop, stop;
    int declare;             // the last action, of games whose rules know a declaration; -1: there is none
    std::vector<int> shown;  // kind -> plane that says that it is dropped so, counted from the first of them, -1: none
    int actions;

    KOMADAI_FIELDS(EncodingTables, steps, history, repetitions, remembers, ways, legs, promotes, choices, plane_of,
                   drop_planes, action_planes, go, shoot, drop, stop, declare, shown, actions)
};

using ActionId = uint32_t;  // a number below `actions`
using ActionList = std::vector<ActionId>;

// A position as history keeps it.
struct Frame {
    std::vector<Piece> board;  // by point
    std::array<std::array<uint8_t, MAX_HAND>, 2> hand;
    std::array<Cell, 3> royal;
    int repeated;
};

// What has been done in a turn that is not over, for steps.
struct Progress {
    int selected = -1;  // a cell of the mailbox
    int at = -1;        // where the piece is now
    int slot = -1;      // of the hand
    int shown = -1;     // the kind that a dropped piece shows
    std::vector<Cell> passed, shot;
};

template <int W>
class Encoding {
 public:
    [[gnu::cold]] Encoding(std::shared_ptr<const Rules<W>> rules, EncodingTables tables);

    [[nodiscard]] const EncodingTables& tables() const { return tables_; }
    [[nodiscard]] const Rules<W>& rules() const { return *rules_; }
    [[nodiscard]] const std::shared_ptr<const Rules<W>>& shared_rules() const { return rules_; }
    [[nodiscard]] size_t cells() const { return size_t(rules_->points); }
    [[nodiscard]] size_t planes() const { return planes_; }
    [[nodiscard]] size_t actions() const { return size_t(tables_.actions); }

    // By point, the cell where the side sees it; `royal`: where the royal pieces stand.
    [[nodiscard]] const uint16_t* view(const std::array<Cell, 3>& royal, Side side) const {
        if (rules_->has_edges()) return &views_[side * cells()];
        const Cell own = royal[side], other = royal[~side];
        const Cell middle = own != NO_CELL ? own : other != NO_CELL ? other : rules_->middle;
        return &views_[(side * cells() + rules_->point_of[middle]) * cells()];
    }
    // The flat actions of legal moves.
    void flat(const State<W>& s, const MoveList& moves, ActionList& found) const;
    // Adds them to a bit set, and returns how many there are; and the legal move of one of them.
    [[nodiscard]] int mark_flat(Position<W>& position, std::vector<uint64_t>& legal) const;
    [[nodiscard]] Move flat_move(const State<W>& s, ActionId action) const;
    // For steps: the origin of the moves that such an action begins, and whether they are drops.
    [[nodiscard]] Move beginning(const State<W>& s, ActionId action) const;
    // The action of a step on a board that is seen so.
    [[nodiscard]] ActionId action(const Step& step, const uint16_t* view) const;
    // Writes what the planes have besides zeros, or with `on` = 0 zeros there. `past`: the positions before, the last
    // of them first.
    void paint(const State<W>& s, int repeated, bool check, const Progress* progress, const std::vector<Frame>& past,
               uint8_t* planes, uint8_t on = 1) const;
    [[nodiscard]] Frame frame(const State<W>& s, int repeated) const;

 private:
    static constexpr uint16_t NO_WAY = 0xFFFF, SEVERAL = 0xFFFE;
    class Landings;

    void require_sound() const;
    [[nodiscard]] ActionId meant_by(const Step& step, const uint16_t* view) const;
    void find_views();
    void find_ways();
    [[nodiscard]] int way(const State<W>& s, Cell from, Cell to) const;
    [[nodiscard]] Cell seen_at(const State<W>& s, size_t index) const;
    [[nodiscard]] int delta(int way, Side side) const;
    template <class Hands>
    void paint_hands(const Hands& hand, Side us, int repeated, uint8_t* planes, uint8_t on) const;

    std::shared_ptr<const Rules<W>> rules_;
    EncodingTables tables_;
    size_t kinds_, block_, planes_;
    std::vector<uint16_t> views_;   // by side, where there are no edges by the point in the middle, and by point
    std::vector<uint16_t> places_;  // by point: differences of two tell the vector between them
    size_t middle_ = 0;             // of differences
    std::vector<uint16_t> ways_;    // by kind and difference, seen by the owner
    std::vector<int> lands_;        // by way and choice: the first action of the plane
    std::vector<std::array<int, 2>> meant_;  // by plane: its way and choice, or -1 and the kind that is dropped
};

// The turn of a side: what it may do next, and for steps what it has done.
template <int W>
class Turn {
 public:
    ActionList actions;  // what may be done
    Progress progress;

    // Begins a turn. If nothing can be done, `actions` is empty.
    void begin(const Encoding<W>& encoding, Position<W>& position);
    // Takes one of the actions; returns the move once it is whole.
    std::optional<Move> take(const Encoding<W>& encoding, Position<W>& position, ActionId action);
    [[nodiscard]] bool begun() const { return node_ >= 0; }
    // What has been taken in this turn.
    [[nodiscard]] const ActionList& taken() const { return taken_; }
    // For steps: the actions that make a legal move, the shortest of them if there are several ways.
    [[nodiscard]] static ActionList path(const Encoding<W>& encoding, Position<W>& position, Move move);

 private:
    void list(const Encoding<W>& encoding, const State<W>& s);

    StepTree tree_;
    int node_ = -1;
    ActionList taken_;
};

KOMADAI_EXTERN_EACH_SIZE(class Encoding)
KOMADAI_EXTERN_EACH_SIZE(class Turn)

}  // namespace komadai
