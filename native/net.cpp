#include "net.hpp"

#include <algorithm>

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

KOMADAI_FOR_EACH_SIZE(class Net)

}  // namespace komadai
