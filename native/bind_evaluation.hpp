// The evaluation as Python has it.
#pragma once

#include "bind.hpp"
#include "evaluate.hpp"

namespace komadai {

// Throws if a position of the one rules does not fit the other; those of one game may have been made twice.
template <int W>
void require_same(const Rules<W>& rules, const Rules<W>& others) {
    if (rules.info.size() != others.info.size() || rules.points != others.points || rules.hands() != others.hands())
        throw std::invalid_argument("a position of other rules");
}

// The evaluation of a variant with its weights, immutable and shared by searchers.
class PyEvaluation {
 public:
    template <int W>
    using Shared = std::shared_ptr<const Evaluation<W>>;
    using Any = OfAnySize<Shared>;

    // weights: in the order of blocks(), or none; net: its arrays, or none; mirrored: as its shape has it.
    PyEvaluation(const PyRules& rules, const std::optional<std::vector<int>>& weights,
                 const std::optional<NetArrays>& net, bool mirrored)
        : evaluation_(std::visit(
              [&]<int W>(const std::shared_ptr<const Rules<W>>& r) -> Any {
                  auto made = std::make_shared<Evaluation<W>>(r);
                  if (weights) made->load(*weights);
                  if (net) made->load(std::make_shared<const Net<W>>(shape_of<W>(r, *net, mirrored), *net));
                  return Shared<W>(made);
              },
              rules.any())) {}

    [[nodiscard]] std::vector<Block> blocks() const {
        return std::visit([](const auto& evaluation) { return evaluation->blocks(); }, evaluation_);
    }
    template <class Do>
    auto with(const PyPosition& position, Do do_it) const {
        return std::visit(
            [&]<int W>(const Shared<W>& evaluation) {
                const auto* p = std::get_if<Position<W>>(&position.any());
                if (p == nullptr) throw std::invalid_argument("a position of other rules");
                require_same(*evaluation->rules(), p->rules());
                return do_it(*evaluation, *p);
            },
            evaluation_);
    }
    [[nodiscard]] int score(const PyPosition& position) const {
        return with(position, [](const auto& evaluation, const auto& p) { return evaluation.score(p); });
    }
    [[nodiscard]] int static_score(const PyPosition& position) const {
        return with(position, [](const auto& evaluation, const auto& p) { return evaluation.static_score(p); });
    }
    // The evaluation for boards of that size.
    template <int W>
    [[nodiscard]] const Evaluation<W>& of(const Rules<W>& rules) const {
        const auto* evaluation = std::get_if<Shared<W>>(&evaluation_);
        if (evaluation == nullptr) throw std::invalid_argument("an evaluation of other rules");
        require_same(*(*evaluation)->rules(), rules);
        return **evaluation;
    }
    [[nodiscard]] std::vector<std::pair<int, int>> terms(const PyPosition& position) const {
        return with(position, [](const auto& evaluation, const auto& p) { return evaluation.terms(p); });
    }

    [[nodiscard]] const Any& any() const { return evaluation_; }

 private:
    // What a net sees: the control of points only if it has as many features.
    template <int W>
    static NetShape<W> shape_of(const std::shared_ptr<const Rules<W>>& rules, const NetArrays& net, bool mirrored) {
        const NetShape<W> all(rules, mirrored);
        const bool control = net.feature_weights.size() >= size_t(all.features()) * net.feature_bias.size();
        return control ? all : NetShape<W>(rules, mirrored, false);
    }

    Any evaluation_;
};

}  // namespace komadai
