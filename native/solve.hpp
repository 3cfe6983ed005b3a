// Retrograde solving of small games over the dense index, and the audit of what comes out.
//
// Two bytes a number hold the state of its position. One pass counts the moves of every position: of all there are, or
// of those that play from the start leads to while nobody passes over a capture that ends the game. Values then
// spread backwards in waves, one ply a wave, from the positions that are lost without a move, over un-moves. A position
// that no wave reaches is a draw, because neither side can force an end. Between batches of parts the states can be
// saved, and loaded again.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <string_view>

#include "index.hpp"
#include "unmoves.hpp"

namespace komadai {

// The value of a position: 0 for a draw, otherwise 1 + the plies to the end with best play by both sides. An even
// number of plies is a loss for the side to move, an odd one a win.
using Value = uint16_t;
constexpr Value DRAW = 0;
constexpr bool is_loss(Value value) { return value & 1; }

// The value of a position, from the values of the positions after its moves.
class BestValue {
 public:
    void add(Value after) {
        const auto value = Value(after + 1);
        if (after == DRAW)
            draw_ = true;
        else if (is_loss(after))
            win_ = win_ ? std::min(win_, value) : value;
        else
            loss_ = std::max(loss_, value);
    }
    // Without moves the position is lost.
    [[nodiscard]] Value value() const { return win_ ? win_ : draw_ ? DRAW : loss_ ? loss_ : Value(1); }

 private:
    Value win_ = 0, loss_ = 0;  // the quickest win, the slowest loss; 0: none
    bool draw_ = false;
};

// Runs work(0) to work(tasks - 1) on several threads. The calling thread runs done(task) for every finished task, and
// `poll` now and then; both may throw to abort.
void run_parallel(int threads, size_t tasks, const std::function<void(size_t)>& work,
                  const std::function<void(size_t)>& done, const std::function<void()>& poll);

// Works on the flagged of so many parts, batch by batch, until none is flagged; a part's flag is taken away before.
// `batch` is called after each batch. Sets `spoilt` before it throws while parts are worked on.
using PartFlags = std::vector<uint8_t>;
void sweep_parts(int threads, PartFlags& flags, const std::function<void(size_t)>& work,
                 const std::function<void()>& batch, const std::function<void()>& poll, bool& spoilt);

struct Summary {
    std::vector<uint64_t> positions, reachable;  // by value; `reachable`: from the start of the game
    uint64_t moves = 0;                          // of all positions
};

// The waves of a solver over the parts of an index, and how far they have come.
class Waves {
 public:
    static constexpr Slot PART = 1 << 18;  // numbers per part
    // Called with the work done and the work in all (0: unknown) whenever the states may be saved; may throw.
    using Tick = std::function<void(uint64_t, uint64_t)>;

    [[nodiscard]] size_t parts() const { return (uint64_t(size_) + PART - 1) / PART; }

 protected:
    static constexpr size_t FIRST_WAVES = 4;  // expanding gives values up to 3

    Waves(Slot size, Slot start, bool everything);

    [[nodiscard]] Slot part_size(size_t part) const { return std::min<Slot>(PART, size_ - Slot(part) * PART); }
    void sweep(int threads, PartFlags& flags, const std::function<void(size_t)>& work,
               const std::function<void()>& batch, const std::function<void()>& poll) {
        require_sound();
        sweep_parts(threads, flags, work, batch, poll, spoilt_);
    }
    // Gives the positions before those of each value theirs, from the value now_ on, until no part has any left.
    // Throws std::length_error if a value would reach `limit`.
    void propagate(int threads, Value limit, const std::function<void(size_t)>& spread, const Tick& tick,
                   const std::function<void()>& poll);
    // Notes that a part has positions of that value, whose un-moves are to be made.
    void due(size_t part, Value value) { std::atomic_ref(due_[value][part]).store(1, std::memory_order_relaxed); }
    [[noreturn]] static void throw_too_long();
    void require_sound() const;
    void require_solved() const;
    // How far the work has come, with a number of the solver's own (`own`), as bytes, and back; load_stage() returns
    // that number, and throws std::invalid_argument if the bytes are not those of such a solver: `fits` is asked about
    // that number and the number of waves.
    [[nodiscard]] std::string save_stage(uint64_t own) const;
    uint64_t load_stage(const std::string& bytes, const std::function<bool(uint64_t, uint64_t)>& fits);
    // Finds the positions that the start leads to, by begin()(slot, reach) for each, which calls reach(next) for those
    // after its moves; begin() is called for each part.
    template <class Begin>
    void mark_reachable(int threads, const std::function<void()>& poll, Begin begin);

    Slot size_, start_;
    PartFlags pending_;          // parts with positions to be expanded
    std::deque<PartFlags> due_;  // by value: parts with positions of that value, whose un-moves are to be made
    Value now_ = 1;              // the wave
    bool spoilt_ = false;        // an exception has ended the work on some parts
    std::atomic<uint64_t> positions_{0}, moves_{0}, known_{0};
    std::vector<uint64_t> reachable_;  // bit set of numbers; empty: not found yet
};

class Solver : public Waves {
 public:
    using State = uint16_t;

    // `everything`: all positions are solved, and not only those that the start leads to.
    Solver(std::shared_ptr<const TableIndex> index, Slot start, bool everything);

    // Both call `tick` with the work done and the work in all (0: unknown) whenever the states may be saved; it may
    // throw to give up, and another call goes on. expand() counts parts or positions, propagate() positions with a
    // value. After an exception while parts are worked on, every further call throws std::logic_error: some of the
    // states may be half done.
    void expand(int threads, const Tick& tick, const std::function<void()>& poll);
    void propagate(int threads, const Tick& tick, const std::function<void()>& poll);

    // How far the work has come, and the states of a part, as bytes, and back; loading throws std::invalid_argument if
    // they are not those of such a solver.
    [[nodiscard]] std::string save_stage() const;
    void load_stage(const std::string& bytes);
    [[nodiscard]] std::string save(size_t part) const;
    void load(size_t part, const std::string& bytes);

    // The counts. Like the two below it throws std::logic_error before the values are there.
    [[nodiscard]] Summary summary(int threads, const std::function<void()>& poll);
    // The values of `count` numbers from `first` on, `width` bytes each, little-endian. Of a number that is no
    // position: ABSENT if not everything was solved, otherwise the value before it.
    [[nodiscard]] std::string values(int width, Slot first, Slot count) const;
    // The numbers of at most `most` positions with that value that are reachable from the start, after summary().
    [[nodiscard]] std::vector<Slot> reachable_with(Value value, size_t most) const;

 private:
    // A state is a value from 1 on, or one of these, or UNDECIDED | moves that are not known to lose. CAUGHT is a win
    // by a capture that ends the game; moves to such a position are known to lose when they are counted, so that its
    // un-moves are never made.
    static constexpr State CAUGHT = 0x7FFF, UNDECIDED = 0x8000, NEW = 0xFFFE, ABSENT = 0xFFFF, MOST_MOVES = 0x3FFF;

    [[nodiscard]] State state_of(Slot slot) const {
        return std::atomic_ref(const_cast<State&>(states_[slot])).load(std::memory_order_relaxed);
    }
    [[nodiscard]] Value value_of(Slot slot) const {
        return states_[slot] & UNDECIDED ? DRAW : states_[slot] == CAUGHT ? Value(2) : states_[slot];
    }
    void expand_part(size_t part);
    void spread_part(size_t part, Value now);
    bool mark(Slot slot, State as);
    void decide(Slot slot, Value value);
    void drop_moves(Slot slot, int moves, Value value);
    void mark_reachable(int threads, const std::function<void()>& poll);

    std::shared_ptr<const TableIndex> index_;
    Unmoves<SMALL> unmoves_;
    bool everything_;
    bool catches_;  // an attack on a piece that its side does not survive without is a win for the other side, if to
                    // move
    std::vector<State> states_;
};

template <class Begin>
void Waves::mark_reachable(int threads, const std::function<void()>& poll, Begin begin) {
    std::vector<uint64_t> reached((uint64_t(size_) + 63) / 64, 0), fresh(reached.size(), 0);
    PartFlags flags(parts(), 0);
    auto reach = [&](Slot slot) {
        const uint64_t bit = uint64_t(1) << (slot & 63);
        if (std::atomic_ref(reached[slot >> 6]).fetch_or(bit, std::memory_order_relaxed) & bit) return;
        std::atomic_ref(fresh[slot >> 6]).fetch_or(bit, std::memory_order_relaxed);
        std::atomic_ref(flags[slot / PART]).store(1, std::memory_order_relaxed);
    };
    auto follow_part = [&](size_t part) {
        auto follow = begin();
        const size_t first = part * PART / 64;
        for (size_t word = first; word < std::min(first + PART / 64, fresh.size()); ++word)
            for (uint64_t bits; (bits = std::atomic_ref(fresh[word]).exchange(0, std::memory_order_relaxed));)
                for (; bits; bits &= bits - 1) follow(Slot(word * 64 + size_t(std::countr_zero(bits))), reach);
    };
    reach(start_);
    sweep(threads, flags, follow_part, [] {}, poll);
    reachable_ = std::move(reached);
}

struct AuditReport {
    static constexpr size_t MOST_WRONG = 100;

    uint64_t positions = 0, moves = 0;
    std::vector<Slot> wrong;  // numbers whose value does not follow from those of their children

    // Adds the counts of another part, and of its wrong numbers as many as there is room for.
    void add(const AuditReport& part) {
        positions += part.positions;
        moves += part.moves;
        for (Slot slot : part.wrong)
            if (wrong.size() < MOST_WRONG) wrong.push_back(slot);
    }
};

// Checks values against the moves, generated by the generic path; `everything` as in Solver. One position in `one_in`
// is checked: each belongs to one of as many shares, and `seed` chooses the share by its remainder. `done` is called
// for each part of Solver::PART numbers.
template <class Index>
AuditReport audit(const Index& index, std::string_view values, int width, bool everything, uint32_t one_in,
                  uint64_t seed, int threads, const std::function<void(size_t)>& done,
                  const std::function<void()>& poll);

}  // namespace komadai
