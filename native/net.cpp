#include "net.hpp"

#include <algorithm>
#include <cstring>

namespace komadai {

template <int W>
void Net<W>::sum(const State<W>& state, Side side, int16_t* sums) const {
    NetFeatures come;
    std::copy_n(layers_.bias(), layers_.hidden(), sums);
    shape_.each(state, side, shape_.view(side, shape_.royal(state, side)), [&](int feature) {
        come.add(feature);
        if (come.size < NetFeatures::MOST) return;
        layers_.change(sums, sums, {}, come);
        come.size = 0;
    });
    layers_.change(sums, sums, {}, come);
}

template <int W>
int Net<W>::score(const Position<W>& position) const {
    const State<W>& state = position.state();
    std::array<std::array<int16_t, NetLayers::WIDEST>, 2> sums;
    for (Side side : {BLACK, WHITE}) {
        if (!shape_.has_royal(state, side, shape_.royal(state, side))) return 0;
        sum(state, side, sums[side].data());
    }
    const Side us = state.side_to_move;
    return layers_.output(sums[us].data(), sums[~us].data(), shape_.phase(state), NetShape<W>::PHASES);
}

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
NetStack<W>::NetStack(const Net<W>& net, size_t plies) : net_(net), entries_(plies) {
    for (Entry& entry : entries_) entry.board.assign(size_t(net.shape().rules()->cells), EMPTY);
}

// The sums that most likely differ little: of a position that led here or, if none of those was asked for, of the last
// one as far from the beginning.
template <int W>
const typename NetStack<W>::Entry& NetStack<W>::nearest(const Position<W>& position, size_t ply) const {
    for (size_t back = 1; back <= std::min(ply, NEAR); ++back) {
        const Entry& before = entries_[ply - back];
        if (before.known && before.key == position.past_key(position.plies() - back)) return before;
    }
    return entries_[ply];
}

template <int W>
void NetStack<W>::update(const State<W>& state, Entry& here, const Entry& base) const {
    const NetShape<W>& shape = net_.shape();
    std::array<Cell, CHANGES> cells;
    size_t changes = 0;
    each_difference(base.board, state.board, [&](Cell cell) {
        if (changes < CHANGES) cells[changes] = cell;
        ++changes;
    });
    for (Side side : {BLACK, WHITE}) {
        const Cell royal = shape.royal(state, side);
        if (!base.known || changes > CHANGES || royal != base.royal[side]) {
            net_.sum(state, side, here.sums[side].data());
            continue;
        }
        NetFeatures gone, come;
        const auto view = shape.view(side, royal);
        for (size_t i = 0; i < changes; ++i) {
            const Cell cell = cells[i];
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
        net_.layers().change(here.sums[side].data(), base.sums[side].data(), gone, come);
    }
    here.royal = {shape.royal(state, BLACK), shape.royal(state, WHITE)};
    here.known = true;
    here.key = state.key;
    here.hand = state.hand;
    std::memcpy(here.board.data(), state.board.data(), state.board.size() * sizeof(Piece));
}

template <int W>
int NetStack<W>::score(const Position<W>& position, size_t ply) {
    const State<W>& state = position.state();
    Entry& here = entries_[ply];
    if (!here.known || here.key != state.key) update(state, here, nearest(position, ply));
    for (Side side : {BLACK, WHITE})
        if (!net_.shape().has_royal(state, side, here.royal[side])) return 0;
    const Side us = state.side_to_move;
    return net_.layers().output(here.sums[us].data(), here.sums[~us].data(), net_.shape().phase(state),
                                NetShape<W>::PHASES);
}

KOMADAI_FOR_EACH_SIZE(class Net)
KOMADAI_FOR_EACH_SIZE(class NetStack)

}  // namespace komadai
