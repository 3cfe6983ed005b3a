#include "evaluation_stack.hpp"

#include <algorithm>
#include <cstring>

namespace komadai {

namespace {

// Calls visit(cell) for each cell on which two boards differ.
template <class Visit>
void each_difference(const std::vector<Piece>& a, const std::vector<Piece>& b, Visit visit) {
    constexpr size_t STEP = sizeof(uint64_t) / sizeof(Piece);  // cells compared at once
    size_t cell = 0;
    for (; cell + STEP <= a.size(); cell += STEP) {
        uint64_t one = 0, other = 0;
        std::memcpy(&one, &a[cell], sizeof one);
        std::memcpy(&other, &b[cell], sizeof other);
        if (one == other) continue;
        for (size_t i = cell; i < cell + STEP; ++i)
            if (a[i] != b[i]) visit(Cell(i));
    }
    for (; cell < a.size(); ++cell)
        if (a[cell] != b[cell]) visit(Cell(cell));
}

}  // namespace

template <int W>
EvaluationStack<W>::EvaluationStack(const Evaluation<W>& evaluation, size_t plies)
    : evaluation_(evaluation), entries_(plies) {
    for (Entry& entry : entries_) entry.board.assign(size_t(evaluation.rules()->cells), EMPTY);
}

// The sums that most likely differ little: of a position that led here or, if none of those was asked for, of the last
// one as far from the beginning.
template <int W>
const typename EvaluationStack<W>::Entry& EvaluationStack<W>::nearest(const Position<W>& position, size_t ply) const {
    for (size_t back = 1; back <= std::min(ply, NEAR); ++back) {
        const Entry& before = entries_[ply - back];
        if (before.known && before.key == position.past_key(position.plies() - back)) return before;
    }
    return entries_[ply];
}

template <int W>
void EvaluationStack<W>::update_placed(const State<W>& state, Entry& here, const Entry& base,
                                       const Changes& changes) const {
    const Cells kings = evaluation_.kings(state);
    if (!base.known || changes.count > CHANGES || kings != base.kings) {
        here.placed = evaluation_.placed(state, kings);
    } else {
        here.placed = base.placed;
        for (size_t i = 0; i < changes.count; ++i) {
            const Cell cell = changes.cells[i];
            const Point point = evaluation_.rules()->point_of[cell];
            if (const Piece piece = base.board[cell]; piece != EMPTY)
                here.placed[side_of(piece)] -= evaluation_.placed(piece, point, kings);
            if (const Piece piece = state.board[cell]; piece != EMPTY)
                here.placed[side_of(piece)] += evaluation_.placed(piece, point, kings);
        }
    }
    here.kings = kings;
}

template <int W>
void EvaluationStack<W>::update_net(const State<W>& state, Entry& here, const Entry& base, const Changes& changes,
                                    const Reached<W>& reached) const {
    const Net<W>& net = *evaluation_.net();
    const NetShape<W>& shape = net.shape();
    const Cells royals{shape.royal(state, BLACK), shape.royal(state, WHITE)};
    std::array<NetFeatures, 2> goes, comes;
    typename NetShape<W>::Control control{};
    if (shape.sees_control()) control = shape.control(state, reached);
    const auto is_near = [&](Side side) {
        return base.known && changes.count <= CHANGES && royals[side] == base.royal[side];
    };
    for (Side side : {BLACK, WHITE}) {
        const Cell royal = royals[side];
        const auto view = shape.view(side, royal);
        if (!is_near(side)) continue;
        NetFeatures &gone = goes[side], &come = comes[side];
        for (Side whose : {BLACK, WHITE}) {
            const auto &before = base.control[whose], &now = control[whose];
            each_bit(now.changes(before), [&](int point) {
                if (const int one = shape.controlled(side, view, whose, point, before); one >= 0) gone.add(one);
                if (const int one = shape.controlled(side, view, whose, point, now); one >= 0) come.add(one);
            });
        }
        for (size_t i = 0; i < changes.count; ++i) {
            const Cell cell = changes.cells[i];
            if (cell == royal) continue;
            const Point point = shape.rules()->point_of[cell];
            if (const Piece piece = base.board[cell]; piece != EMPTY) gone.add(shape.feature(view, piece, point));
            if (const Piece piece = state.board[cell]; piece != EMPTY) come.add(shape.feature(view, piece, point));
        }
        for (Side owner : {BLACK, WHITE})
            for (int slot = 0; slot < shape.rules()->hands(); ++slot) {
                const int before = base.hand[owner][slot], now = state.hand[owner][slot];
                if (before == now) continue;
                if (before) gone.add(shape.in_hand(side, owner, slot, before));
                if (now) come.add(shape.in_hand(side, owner, slot, now));
            }
        net.layers().prefetch(gone);
        net.layers().prefetch(come);
    }
    for (Side side : {BLACK, WHITE})
        if (is_near(side))
            net.layers().change(here.sums[side].data(), base.sums[side].data(), goes[side], comes[side]);
        else
            net.sum(state, side, here.sums[side].data());
    here.royal = royals;
    here.control = control;
}

template <int W>
void EvaluationStack<W>::update(const Position<W>& position, Entry& here, const Entry& base) const {
    const State<W>& state = position.state();
    Changes changes;
    each_difference(base.board, state.board, [&](Cell cell) {
        if (changes.count < CHANGES) changes.cells[changes.count] = cell;
        ++changes.count;
    });
    update_placed(state, here, base, changes);
    Reached<W> reached;
    here.alone = evaluation_.static_score(position, here.placed, reached);
    if (evaluation_.net()) update_net(state, here, base, changes, reached);
    here.known = true;
    here.key = state.key;
    here.hand = state.hand;
    std::memcpy(here.board.data(), state.board.data(), state.board.size() * sizeof(Piece));
}

template <int W>
int EvaluationStack<W>::score(const Position<W>& position, size_t ply) {
    const State<W>& state = position.state();
    Entry& here = entries_[ply];
    if (!here.known || here.key != state.key) update(position, here, nearest(position, ply));
    const Net<W>* net = evaluation_.net();
    if (!net) return here.alone;
    for (Side side : {BLACK, WHITE})
        if (!net->shape().has_royal(state, side, here.royal[side])) return here.alone;
    const Side us = state.side_to_move;
    return here.alone + net->layers().output(here.sums[us].data(), here.sums[~us].data(), net->shape().phase(state),
                                             NetShape<W>::PHASES);
}

KOMADAI_FOR_EACH_SIZE(class EvaluationStack)

}  // namespace komadai
