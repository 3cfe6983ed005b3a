// Retrograde solving of games with an index of relative places (relative.hpp), with one byte a number.
//
// One pass counts the moves of every position; values then spread in waves over un-moves, as in solve.hpp. The pages of
// numbers that are no position are never written, so they take no memory. What is checked afterwards, recheck(), looks
// forwards only.
#pragma once

#include "relative.hpp"
#include "solve.hpp"

namespace komadai {

class RelativeSolver : public Retrograde<RelativeSolver, uint8_t> {
 public:
    explicit RelativeSolver(std::shared_ptr<const RelativeIndex> index, Slot start)
        : Retrograde(index->size(), start, true), index_(std::move(index)) {}

    // How far the work has come, as bytes, and back.
    [[nodiscard]] std::string save_stage() const { return Waves::save_stage(uint64_t(most_moves_)); }
    void load_stage(const std::string& bytes);
    // Computes every value again from those after its moves, by the moves of the index, and counts differences.
    [[nodiscard]] AuditReport recheck(int threads, const std::function<void(size_t)>& done,
                                      const std::function<void()>& poll) const;

 private:
    friend Retrograde;

    // A state is ABSENT; or a value from 1 on; or TOP - the moves that are not known to lose.
    static constexpr State ABSENT = 0;
    static constexpr int TOP = 255;

    [[nodiscard]] static bool is_position(State state) { return state != ABSENT; }
    [[nodiscard]] bool is_value(State state) const { return state && state < TOP - most_moves_; }
    [[nodiscard]] bool is_open(State state) const { return state && !is_value(state); }
    [[nodiscard]] static int moves_left(State state) { return TOP - state; }
    [[nodiscard]] static State open_state(int left) { return State(TOP - left); }
    [[nodiscard]] Value value(State state) const { return is_value(state) ? state : DRAW; }
    [[nodiscard]] Value limit() const { return Value(TOP - most_moves_); }
    void expand_part(size_t part);
    void spread_part(size_t part, Value now);
    template <class Visit>
    void each_after_opening(Slot slot, Visit visit) const;
    void finish();
    void mark_reachable(int threads, const std::function<void()>& poll);

    std::shared_ptr<const RelativeIndex> index_;
    std::atomic<int> most_moves_{0};
};

// `wrong` holds positions whose moves or un-moves differ.
struct MovesReport : AuditReport {
    uint64_t stranded = 0, unmoves = 0;  // `stranded`: positions with stranded cubes

    void add(const MovesReport& part) {
        AuditReport::add(part);
        stranded += part.stranded;
        unmoves += part.unmoves;
    }
};

// Holds the moves and un-moves of an index against the generic path of the move generator, on `count` random positions:
// the moves lead to the same positions, as often; each of these has the position before it, as often; and each
// position before it has such moves. `done` is called for each thousand positions.
MovesReport check_moves(const RelativeIndex& index, uint64_t count, uint64_t seed, int threads,
                        const std::function<void(size_t)>& done, const std::function<void()>& poll);

}  // namespace komadai
