// What a single move does at once: what it captures and what that wins, and whether it gives check.
#pragma once

#include <optional>

#include "search.hpp"

namespace komadai {

// Of the moves of a position, which must be there when it is asked.
template <int W>
class Tactics {
 public:
    Tactics(const Evaluation<W>& evaluation, const std::optional<Position<W>>& position)
        : evaluation_(evaluation), position_(position) {}

    // The material that a capture or promotion wins.
    [[nodiscard]] int gain(Move move) const;
    // True if the move is a capture or a promotion.
    [[nodiscard]] bool is_tactical(Move move) const;
    // Of compound moves: whether the captures are worth more than the mover, if the opponent can recapture it.
    [[nodiscard]] bool wins_material(Move move) const;
    // True if the move captures a piece that the opponent's survival may depend on.
    [[nodiscard]] bool captures_critical(Move move) const;
    // Static exchange evaluation: whether the captures and recaptures on the move's target win the mover at least
    // `threshold`. A captured piece counts with its worth on the board and its worth in the hand that it goes to.
    [[nodiscard]] bool wins_exchange(Move move, int threshold) const;
    // True if the mover attacks the opponent's royal piece from its target.
    [[nodiscard]] bool gives_direct_check(Move move) const;
    // How many enemy pieces the dropped piece attacks, once the drop has been made; 0 in games whose pieces also move
    // in other ways than by leaps and slides.
    [[nodiscard]] int threats(Move drop) const;

 private:
    const Evaluation<W>& evaluation_;
    const std::optional<Position<W>>& position_;
};

KOMADAI_EXTERN_EACH_SIZE(class Tactics)

}  // namespace komadai
