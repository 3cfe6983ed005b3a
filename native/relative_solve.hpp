// Retrograde solving of games with an index of relative places (relative.hpp), with one byte a number.
//
// One pass counts the moves of every position; values then spread in waves over un-moves, as in solve.hpp. The pages of
// numbers that are no position are never written, so they take no memory. What is checked afterwards, recheck(), looks
// forwards only.
#pragma once

#include <cstdlib>

#include "relative.hpp"
#include "solve.hpp"

namespace komadai {

class RelativeSolver : public Waves {
 public:
    // 0: no position; a value from 1 on; or 255 - the moves that are not known to lose.
    using State = uint8_t;

    explicit RelativeSolver(std::shared_ptr<const RelativeIndex> index, Slot start);

    // As those of Solver.
    void expand(int threads, const Tick& tick, const std::function<void()>& poll);
    void propagate(int threads, const Tick& tick, const std::function<void()>& poll);
    [[nodiscard]] std::string save_stage() const;
    void load_stage(const std::string& bytes);
    [[nodiscard]] std::string save(size_t part) const;
    void load(size_t part, const std::string& bytes);
    [[nodiscard]] Summary summary(int threads, const std::function<void()>& poll);
    // `width` must be 1.
    [[nodiscard]] std::string values(int width, Slot first, Slot count) const;
    // No more than SAMPLE.
    [[nodiscard]] std::vector<Slot> reachable_with(Value value, size_t most) const;
    // Computes every value again from those after its moves, by the moves of the index, and counts differences.
    [[nodiscard]] AuditReport recheck(int threads, const std::function<void(size_t)>& done,
                                      const std::function<void()>& poll) const;

 private:
    static constexpr int TOP = 255;
    static constexpr size_t SAMPLE = 1000;

    [[nodiscard]] State state_of(Slot slot) const {
        return std::atomic_ref(states_[slot]).load(std::memory_order_relaxed);
    }
    [[nodiscard]] bool is_value(State state) const { return state && state < TOP - most_moves_; }
    [[nodiscard]] Value value_of(Slot slot) const { return is_value(states_[slot]) ? states_[slot] : DRAW; }
    void expand_part(size_t part);
    void spread_part(size_t part, Value now);
    void decide(Slot slot, Value value);
    void drop_moves(Slot slot, int moves, Value value);
    template <class Visit>
    void each_after_opening(Slot slot, Visit visit) const;
    void solve_opening();
    void mark_reachable(int threads, const std::function<void()>& poll);

    struct Free {
        void operator()(State* states) const { std::free(states); }
    };
    std::shared_ptr<const RelativeIndex> index_;
    std::unique_ptr<State[], Free> states_;
    std::atomic<int> most_moves_{0};
    std::vector<std::vector<Slot>> samples_;  // by value: the first that are reachable, after summary()
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
