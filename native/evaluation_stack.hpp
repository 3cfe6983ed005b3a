// The evaluation along a line of play.
#pragma once

#include "evaluate.hpp"

namespace komadai {

// What of an evaluation is a sum over the pieces - its terms by place, and the hidden layer of its net - is kept for
// the positions of a line, and made from that of a position nearby by what differs between the two boards, so that it
// does not matter how moves change a board. Used by one thread; it allocates nothing once it is made.
template <int W>
class EvaluationStack {
 public:
    EvaluationStack(const Evaluation<W>& evaluation, size_t plies);
    // As Evaluation::score(), of a position so many plies from where the line begins.
    [[nodiscard]] int score(const Position<W>& position, size_t ply);

 private:
    using Cells = typename Evaluation<W>::Cells;
    struct Entry {
        bool known = false;
        uint64_t key = 0;
        std::vector<Piece> board;  // by cell
        std::array<std::array<uint8_t, MAX_HAND>, 2> hand{};
        Cells kings{NO_CELL, NO_CELL};
        typename Evaluation<W>::Placed placed{};
        int alone = 0;                                               // the score without the net
        Cells royal{NO_CELL, NO_CELL};                               // of the net's views
        std::array<std::array<int16_t, NetLayers::WIDEST>, 2> sums;  // of the net, by side
        typename NetShape<W>::Control control{};                     // likewise
    };
    static constexpr size_t CHANGES = 16;  // cells that may differ; where more do, sums are made from scratch
    static constexpr size_t NEAR = 3;      // plies before a position in which its sums are made from theirs
    // The cells on which two boards differ.
    struct Changes {
        std::array<Cell, CHANGES> cells;
        size_t count = 0;  // may be more than there is room for
    };

    [[nodiscard]] const Entry& nearest(const Position<W>& position, size_t ply) const;
    // Makes what an entry holds that of the position, from what another holds.
    void update(const Position<W>& position, Entry& here, const Entry& base) const;
    void update_placed(const State<W>& state, Entry& here, const Entry& base, const Changes& changes) const;
    void update_net(const State<W>& state, Entry& here, const Entry& base, const Changes& changes,
                    const Reached<W>& reached) const;

    const Evaluation<W>& evaluation_;
    std::vector<Entry> entries_;  // by ply
};

KOMADAI_EXTERN_EACH_SIZE(class EvaluationStack)

}  // namespace komadai
