// The bindings of evaluation and of the nets that add to it. Arrays come as whatever has a buffer.
#include "bind_evaluation.hpp"

#include <cstring>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include <nanobind/ndarray.h>
#pragma GCC diagnostic pop

namespace komadai {
namespace {

using Array = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
template <class Item, int Dimensions>
using Made = nb::ndarray<nb::numpy, Item, nb::ndim<Dimensions>>;

template <class Item, class Said = Item>
std::vector<Item> items_of(const Array& array) {
    if (array.dtype() != nb::dtype<Said>()) throw std::invalid_argument("an array has items of the wrong type");
    std::vector<Item> items(array.nbytes() / sizeof(Item));
    if (!items.empty()) std::memcpy(items.data(), array.data(), array.nbytes());
    return items;
}

// An array of Python's that owns the items; `shape` says how they lie.
template <class Item, size_t Dimensions>
Made<Item, int(Dimensions)> array_of(std::vector<Item> items, const std::array<size_t, Dimensions>& shape) {
    auto kept = std::make_unique<std::vector<Item>>(std::move(items));
    Item* data = kept->data();
    const nb::capsule owner(kept.release(), [](void* p) noexcept { delete static_cast<std::vector<Item>*>(p); });
    return {data, Dimensions, shape.data(), owner};
}

std::optional<NetArrays> arrays_of(const std::optional<std::vector<Array>>& net) {
    if (!net) return std::nullopt;
    if (net->size() != 9) throw std::invalid_argument("not the nine arrays of a net");
    const auto short_at = [&](size_t at) { return items_of<int16_t>((*net)[at]); };
    const auto long_at = [&](size_t at) { return items_of<int32_t>((*net)[at]); };
    const Array& features = (*net)[0];
    NetArrays found{{},         short_at(1), short_at(2), long_at(3), short_at(4),
                    long_at(5), short_at(6), long_at(7),  short_at(8)};
    if (features.dtype() == nb::dtype<int8_t>()) {
        const std::vector<int8_t> bytes = items_of<int8_t>(features);
        found.feature_weights.assign(bytes.begin(), bytes.end());
    } else {
        found.feature_weights = items_of<int16_t>(features);
    }
    return found;
}

// The inputs of the nets of some rules.
class PyNetShape {
    template <class Do>
    auto with(const PyPosition& position, Do do_it) const {
        return std::visit(
            [&]<int W>(const std::shared_ptr<const NetShape<W>>& shape) {
                const auto* p = std::get_if<Position<W>>(&position.any());
                if (p == nullptr) throw std::invalid_argument("a position of other rules");
                require_same(*shape->rules(), p->rules());
                return do_it(*shape, *p);
            },
            shape_);
    }
    template <int W>
    static std::vector<int32_t> list(const NetShape<W>& shape, const Position<W>& position, Side side) {
        std::vector<int32_t> found;
        const auto view = shape.view(side, shape.royal(position.state(), side));
        shape.each(position.state(), side, view, [&](int feature) { found.push_back(feature); });
        return found;
    }

 public:
    PyNetShape(const PyRules& rules, bool mirrored)
        : shape_(std::visit([&]<int W>(const std::shared_ptr<const Rules<W>>& r)
                                -> Any { return std::make_shared<const NetShape<W>>(r, mirrored); },
                            rules.any())) {}

    [[nodiscard]] int features() const {
        return std::visit([](const auto& shape) { return shape->features(); }, shape_);
    }
    [[nodiscard]] int most() const {
        return std::visit([](const auto& shape) { return shape->most(); }, shape_);
    }
    [[nodiscard]] bool mirrored() const {
        return std::visit([](const auto& shape) { return shape->mirrored(); }, shape_);
    }
    using Views = std::tuple<std::vector<int32_t>, std::vector<int32_t>, int>;
    [[nodiscard]] Views of(const PyPosition& position) const {
        return with(position, []<int W>(const NetShape<W>& shape, const Position<W>& p) {
            const Side us = p.side_to_move();
            return Views{list(shape, p, us), list(shape, p, ~us), shape.phase(p.state())};
        });
    }
    using GameViews = std::tuple<Made<int32_t, 2>, Made<int32_t, 2>, Made<uint8_t, 1>, Made<int32_t, 1>>;
    [[nodiscard]] GameViews of_game(const PyEvaluation& evaluation, const PyPosition& start, const Array& codes,
                                    const Array& trails, const Array& keep) const {
        const auto code = items_of<uint64_t>(codes), trail = items_of<uint64_t>(trails);
        const auto kept = items_of<uint8_t, bool>(keep);
        if (trail.size() != code.size() || kept.size() != code.size())
            throw std::invalid_argument("codes, trails and keep have different lengths");
        const auto n = size_t(std::ranges::count(kept, 1)), most = size_t(this->most());
        std::array<std::vector<int32_t>, 2> views;
        for (auto& view : views) view.assign(n * most, -1);
        std::vector<uint8_t> phases;
        std::vector<int32_t> scores;
        with(start, [&]<int W>(const NetShape<W>& shape, const Position<W>& p) {
            const Evaluation<W>& scored = evaluation.of(p.rules());
            Position<W> position = p;
            MoveList legal;
            for (size_t ply = 0; ply < code.size(); ++ply) {
                if (kept[ply]) {
                    const Side us = position.side_to_move();
                    for (Side side : {us, ~us})
                        std::ranges::copy(list(shape, position, side),
                                          views[side != us].begin() + std::ptrdiff_t(phases.size() * most));
                    phases.push_back(uint8_t(shape.phase(position.state())));
                    scores.push_back(scored.static_score(position));
                }
                const Move move = Move::from_code(code[ply], trail[ply]);
                legal.clear();
                position.legal_moves(legal);
                if (std::ranges::find(legal, move) == legal.end())
                    throw std::invalid_argument("the move of ply " + std::to_string(ply) + " is not legal");
                position.push(move);
            }
        });
        const std::array two{n, most};
        const std::array one{n};
        return {array_of(std::move(views[0]), two), array_of(std::move(views[1]), two),
                array_of(std::move(phases), one), array_of(std::move(scores), one)};
    }

 private:
    template <int W>
    using Shared = std::shared_ptr<const NetShape<W>>;
    using Any = OfAnySize<Shared>;
    Any shape_;
};

}  // namespace

void bind_evaluation(nb::module_& m) {
    nb::class_<Block>(m, "Block", "A block of weights; its terms count in units of 1 / parts.")
        .def_ro("name", &Block::name)
        .def_ro("shape", &Block::shape)
        .def_ro("parts", &Block::parts);
    nb::class_<PyEvaluation>(m, "Evaluation", "The static evaluation of a variant with its weights, and with a net.")
        .def(
            "__init__",
            [](PyEvaluation* self, const PyRules& rules, const std::optional<std::vector<int>>& weights,
               const std::optional<std::vector<Array>>& net,
               bool mirrored) { new (self) PyEvaluation(rules, weights, arrays_of(net), mirrored); },
            "rules"_a, "weights"_a.none() = nb::none(), "net"_a.none() = nb::none(), "mirrored"_a = false,
            nb::sig("def __init__(self, rules: Rules, weights: list[int] | None = None, "
                    "net: collections.abc.Sequence[object] | None = None, mirrored: bool = False) -> None"),
            "Take weights in the order of the blocks, and a net as its nine arrays in the order of a file, with "
            "``mirrored`` as its NetShape has it.")
        .def("blocks", &PyEvaluation::blocks, "The blocks of the weights, in order.")
        .def("score", &PyEvaluation::score, "position"_a, "The score for the side to move.")
        .def("static", &PyEvaluation::static_score, "position"_a, "The score without the net.")
        .def("terms", &PyEvaluation::terms, "position"_a,
             "The terms of the score without the net for the side to move, as pairs of a weight's index and a count.");
    nb::class_<PyNetShape>(m, "NetShape", "The features that a net of these rules sees, and its phases.")
        .def(nb::init<const PyRules&, bool>(), "rules"_a, "mirrored"_a,
             "``mirrored``: whether the rules are the same with left and right exchanged.")
        .def_prop_ro("features", &PyNetShape::features)
        .def_prop_ro("most", &PyNetShape::most)
        .def_prop_ro("mirrored", &PyNetShape::mirrored)
        .def_prop_ro_static("phases", [](nb::handle) { return NetShape<SMALL>::PHASES; })
        .def("of", &PyNetShape::of, "position"_a,
             "The features that the side to move sees and those that the other side sees, and the phase.")
        .def("of_game", &PyNetShape::of_game, "evaluation"_a, "position"_a, "codes"_a, "trails"_a, "keep"_a,
             "The same of the positions before the moves to keep of a game, each view padded with -1, with the scores "
             "without a net.",
             nb::sig("def of_game(self, evaluation: Evaluation, position: Position, codes: object, trails: object, "
                     "keep: object) -> tuple[typing.Any, typing.Any, typing.Any, typing.Any]"));
}

}  // namespace komadai
