#include <doctest/doctest.h>

#include <random>
#include <set>
#include <type_traits>

#include "evaluation_stack.hpp"
#include "games.hpp"

using namespace komadai;
using namespace komadai::test;

namespace {

// A net of random weights, small enough that many units are neither 0 nor at their limit; with small layers of so many
// units.
NetArrays random_arrays(int features, int hidden, int phases, std::mt19937& random, int first = 0, int second = 0) {
    const auto fill = [&](auto& numbers, size_t count, int most) {
        numbers.resize(count);
        using Number = typename std::remove_reference_t<decltype(numbers)>::value_type;
        for (Number& number : numbers) number = Number(int(random() % unsigned(2 * most + 1)) - most);
    };
    NetArrays arrays;
    fill(arrays.feature_weights, size_t(features * hidden), 60);
    fill(arrays.feature_bias, size_t(hidden), 100);
    fill(arrays.output_weights, size_t(phases * 2 * hidden), NetLayers::HEAVIEST);
    fill(arrays.output_bias, size_t(phases), 20000);
    fill(arrays.first_weights, size_t(phases * first * hidden), 200);
    fill(arrays.first_bias, size_t(phases * first), 200'000);
    fill(arrays.second_weights, size_t(phases * second * 2 * first), 700);
    fill(arrays.second_bias, size_t(phases * second), 200'000);
    fill(arrays.last_weights, size_t(phases * second), NetLayers::HEAVIEST_SMALL);
    return arrays;
}

}  // namespace

TEST_CASE("sums made from those of positions nearby are those made from scratch, wherever a line of play goes") {
    const int steps = in_full() ? 4000 : 400;
    const auto play = [&](const Game& game, bool with_net, bool control) {
        with_position(game, 0, [&]<int W>(Position<W>& position) {
            std::mt19937 random(3);
            const auto rules = std::make_shared<const Rules<W>>(game.tables);
            const NetShape<W> shape(rules, false, control);
            Evaluation<W> evaluation(rules);
            std::vector<int> weights(size_t(evaluation.blocks().back().at + evaluation.blocks().back().size()));
            for (int& weight : weights) weight = int(random() % 200) - 100;
            evaluation.load(weights);
            if (with_net)
                evaluation.load(std::make_shared<const Net<W>>(
                    shape, random_arrays(shape.features(), 32, NetShape<W>::PHASES, random, 8, 16)));
            EvaluationStack<W> stack(evaluation, 101);
            std::set<int> scores;
            MoveList moves;
            for (int step = 0; step < steps; ++step) {
                moves.clear();
                position.legal_moves(moves);
                const bool back = moves.empty() || position.plies() == 100 || random() % 8 < 3;
                if (!back)
                    position.push(moves[random() % moves.size()]);
                else if (position.plies())
                    position.pop();
                if (random() % 4 == 0) continue;  // as where a check is not evaluated
                const int score = evaluation.score(position);
                REQUIRE(stack.score(position, position.plies()) == score);
                scores.insert(score);
            }
            CHECK(scores.size() > 5);
        });
    };
    for (const Game& game : games()) {
        CAPTURE(game.name);
        play(game, false, false);
        play(game, true, false);
        play(game, true, true);
    }
}

TEST_CASE("the features of a view lie within the table, and are no more than it says") {
    for (const Game& game : games()) {
        CAPTURE(game.name);
        with_position(game, 40, [&]<int W>(Position<W>& position) {
            const State<W>& state = position.state();
            const auto rules = std::make_shared<const Rules<W>>(game.tables);
            for (const auto& [mirrored, side] :
                 {std::pair{false, BLACK}, {false, WHITE}, {true, BLACK}, {true, WHITE}}) {
                const NetShape<W> shape(rules, mirrored);
                int found = 0;
                shape.each(state, side, shape.view(side, shape.royal(state, side)), [&](int feature) {
                    CHECK(feature >= 0);
                    CHECK(feature < shape.features());
                    ++found;
                });
                CHECK(found <= shape.most());
                CHECK(shape.phase(state) < NetShape<W>::PHASES);
            }
        });
    }
}

TEST_CASE("the output is the sum that net.hpp says, in whole numbers, whatever the weights") {
    std::mt19937 random(5);
    for (const auto& [hidden, first, second] :
         {std::array{16, 0, 0}, {48, 0, 0}, {32, 8, 16}, {128, 16, 32}, {256, 24, 16}}) {
        CAPTURE(hidden);
        const NetArrays arrays = random_arrays(1, hidden, 3, random, first, second);
        const NetLayers layers(arrays, 1);
        for (int tries = 0; tries < 200; ++tries) {
            std::array<std::array<int16_t, NetLayers::WIDEST>, 2> sums{};
            for (auto& side : sums)
                for (auto& sum : side) sum = int16_t(random() % 4 ? int(random() % 400) - 50 : int(random() % 65536));
            const auto unit = [&](int side, int i) {
                return int64_t(std::clamp<int>(sums[size_t(side)][size_t(i)], 0, 255));
            };
            const int phase = int(random() % 8), bucket = phase * 3 / 8;
            int64_t linear = 0;
            for (int i = 0; i < 2 * hidden; ++i) {
                const int64_t active = unit(i >= hidden, i % hidden);
                linear += active * active * arrays.output_weights[size_t(bucket * 2 * hidden + i)];
            }
            linear = linear / 255 + arrays.output_bias[size_t(bucket)];
            std::vector<int64_t> inputs(size_t(2 * first));
            for (int j = 0; j < first; ++j) {
                int64_t total = arrays.first_bias[size_t(bucket * first + j)];
                for (int i = 0; i < hidden; ++i) {
                    const int side = i >= hidden / 2, at = i % (hidden / 2);
                    total += unit(side, at) * unit(side, at + hidden / 2) / 256 *
                             arrays.first_weights[size_t((bucket * first + j) * hidden + i)];
                }
                const int64_t found = std::clamp<int64_t>(total / 1024, -255, 255);
                inputs[size_t(j)] = std::max<int64_t>(found, 0);
                inputs[size_t(first + j)] = found * found / 255;
            }
            int64_t small = 0;
            for (int k = 0; k < second; ++k) {
                int64_t total = arrays.second_bias[size_t(bucket * second + k)];
                for (int j = 0; j < 2 * first; ++j)
                    total += inputs[size_t(j)] * arrays.second_weights[size_t((bucket * second + k) * 2 * first + j)];
                small += std::clamp<int64_t>(total / 1024, 0, 255) * arrays.last_weights[size_t(bucket * second + k)];
            }
            const int64_t score = std::clamp<int64_t>((linear + small / 16) * 400 / (255 * 64), INT16_MIN, INT16_MAX);
            CHECK(layers.output(sums[0].data(), sums[1].data(), phase, 8) == score);
        }
    }
}

TEST_CASE("the largest weights do not overflow") {
    std::mt19937 random(8);
    for (const int sign : {1, -1}) {
        NetArrays arrays = random_arrays(1, NetLayers::WIDEST, 1, random, NetLayers::SMALL, NetLayers::SMALL);
        for (auto* weights : {&arrays.first_weights, &arrays.second_weights, &arrays.last_weights})
            std::ranges::fill(*weights, int16_t(sign * NetLayers::HEAVIEST_SMALL));
        for (auto* biases : {&arrays.first_bias, &arrays.second_bias})
            std::ranges::fill(*biases, sign * NetLayers::HIGHEST);
        std::ranges::fill(arrays.output_weights, int16_t(sign * NetLayers::HEAVIEST));
        std::array<int16_t, NetLayers::WIDEST> sums;
        sums.fill(INT16_MAX);
        for (const NetKernels& kernels : net_kernels()) {
            // Where all is negative, the squares of the first layer are positive and the second layer is 0.
            const int64_t linear = int64_t(sign) * 2 * NetLayers::WIDEST * 255 * NetLayers::HEAVIEST;
            const int64_t small = sign > 0 ? int64_t(NetLayers::SMALL) * 255 * NetLayers::HEAVIEST_SMALL / 16 : 0;
            const int64_t score = (linear + arrays.output_bias[0] + small) * 400 / (255 * 64);
            CHECK(NetLayers(arrays, 1, kernels).output(sums.data(), sums.data(), 0, 8) ==
                  std::clamp<int64_t>(score, INT16_MIN, INT16_MAX));
        }
    }
}

TEST_CASE("every instruction set gives the same numbers") {
    std::mt19937 random(7);
    const int features = 70;
    REQUIRE(std::string(net_kernels().back().name) == "baseline");
    for (const int hidden : {16, 48, 64, 112, 128, 256}) {
        const bool even = hidden % 32 == 0;
        const NetArrays arrays = random_arrays(features, hidden, 1, random, even ? 24 : 0, even ? 32 : 0);
        for (int tries = 0; tries < 100; ++tries) {
            std::array<int16_t, NetLayers::WIDEST> from;
            for (auto& sum : from) sum = int16_t(random());  // beyond what wraps around
            NetFeatures gone, come;
            for (auto* list : {&gone, &come})
                for (size_t count = random() % NetFeatures::MOST; count > 0; --count)
                    list->add(int(random() % unsigned(features)));
            std::array<int16_t, NetLayers::WIDEST> wanted{};
            for (size_t i = 0; i < size_t(hidden); ++i) {
                const auto weight = [&](int feature) {
                    return unsigned(arrays.feature_weights[size_t(feature * hidden) + i]);
                };
                unsigned sum = unsigned(from[i]);
                for (size_t k = 0; k < gone.size; ++k) sum -= weight(gone.list[k]);
                for (size_t k = 0; k < come.size; ++k) sum += weight(come.list[k]);
                wanted[i] = int16_t(sum);
            }
            std::set<int> outputs;
            for (const NetKernels& kernels : net_kernels()) {
                CAPTURE(kernels.name);
                const NetLayers layers(arrays, features, kernels);
                std::array<int16_t, NetLayers::WIDEST> sums{};
                layers.change(sums.data(), from.data(), gone, come);
                CHECK(sums == wanted);
                outputs.insert(layers.output(sums.data(), from.data(), 0, 1));
            }
            CHECK(outputs.size() == 1);
        }
    }
}

TEST_CASE("arrays that do not fit are refused") {
    std::mt19937 random(6);
    const NetArrays good = random_arrays(5, 16, 2, random);
    CHECK_NOTHROW(NetLayers(good, 5));
    const auto refused = [&](auto spoil, int features = 5) {
        NetArrays bad = good;
        spoil(bad);
        CHECK_THROWS_AS(NetLayers(bad, features), std::invalid_argument);
    };
    refused([](NetArrays&) {}, 6);
    refused([](NetArrays& a) { a.feature_bias.pop_back(); });
    refused([](NetArrays& a) { a.feature_bias.clear(); });
    refused([](NetArrays& a) { a.output_weights.pop_back(); });
    refused([](NetArrays& a) { a.output_weights[3] = NetLayers::HEAVIEST + 1; });
    refused([](NetArrays& a) { a.output_weights[3] = INT16_MIN; });
    refused([](NetArrays& a) { a.output_bias.clear(); });
    refused([](NetArrays& a) { a.feature_weights.push_back(0); });
    refused([](NetArrays& a) { a.first_bias.assign(16, 0); });
    const NetArrays small = random_arrays(5, 32, 2, random, 8, 16);
    const auto small_refused = [&](auto spoil) {
        NetArrays bad = small;
        spoil(bad);
        CHECK_THROWS_AS(NetLayers(bad, 5), std::invalid_argument);
    };
    CHECK_NOTHROW(NetLayers(small, 5));
    small_refused([](NetArrays& a) { a.first_bias.pop_back(); });
    small_refused([](NetArrays& a) { a.first_weights.pop_back(); });
    small_refused([](NetArrays& a) { a.second_weights.pop_back(); });
    small_refused([](NetArrays& a) { a.second_bias.clear(); });
    small_refused([](NetArrays& a) { a.last_weights.clear(); });
    small_refused([](NetArrays& a) { a.last_weights[1] = NetLayers::HEAVIEST_SMALL + 1; });
    small_refused([](NetArrays& a) { a.first_weights[1] = INT16_MIN; });
    small_refused([](NetArrays& a) { a.first_bias[1] = NetLayers::HIGHEST + 1; });
    small_refused([](NetArrays& a) { a.second_bias[1] = INT32_MIN; });
}
