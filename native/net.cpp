#include "net.hpp"

namespace komadai {

template <int W>
void Net<W>::sum(const State<W>& state, Side side, int16_t* sums) const {
    layers_.begin(sums);
    shape_.each(state, side, shape_.view(side, shape_.royal(state, side)),
                [&](int feature) { layers_.add(sums, feature); });
}

template <int W>
int Net<W>::score(const Position<W>& position) const {
    const State<W>& state = position.state();
    std::array<std::array<int16_t, NetLayers::WIDEST>, 2> sums;
    for (Side side : {BLACK, WHITE}) sum(state, side, sums[side].data());
    const Side us = state.side_to_move;
    return layers_.output(sums[us].data(), sums[~us].data(), shape_.phase(state), NetShape<W>::PHASES);
}

KOMADAI_FOR_EACH_SIZE(class Net)

}  // namespace komadai
