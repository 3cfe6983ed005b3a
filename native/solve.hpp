// Retrograde solving of small games over the dense index, and the audit of what comes out.
//
// Two bytes a number hold the state of its position. One pass counts the moves of every position: of all there are, or
// of those that play from the start leads to while nobody passes over a capture that ends the game. Values then
// spread backwards in waves, one ply a wave, from the positions that are lost without a move, over un-moves. A position
// that no wave reaches is a draw, because neither side can force an end. Between batches of parts the states can be
// saved, and loaded again.
#pragma once

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
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

// A solver, with a state for each number of its index. `Self` tells what states mean: by is_position() and is_open(),
// by moves_left() of a position that is open, the moves that are not known to lose, and back by open_state(); and it
// expands and spreads the positions of a part.
template <class Self, class Number>
class Retrograde : public Waves {
 public:
    using State = Number;

    // Both call `tick` with the work done and the work in all (0: unknown) whenever the states may be saved; it may
    // throw to give up, and another call goes on. expand() counts parts or positions, propagate() positions with a
    // value. After an exception while parts are worked on, every further call throws std::logic_error: some of the
    // states may be half done.
    void expand(int threads, const Tick& tick, const std::function<void()>& poll) {
        auto batch = [&] {
            const auto left = uint64_t(std::ranges::count(pending_, 1));
            everything_ ? tick(parts() - left, parts()) : tick(positions_, 0);
        };
        sweep(threads, pending_, [&](size_t part) { self().expand_part(part); }, batch, poll);
    }
    void propagate(int threads, const Tick& tick, const std::function<void()>& poll) {
        Waves::propagate(threads, self().limit(), [&](size_t part) { self().spread_part(part, now_); }, tick, poll);
        self().finish();
    }

    // The states of a part, as bytes, and back; loading throws std::invalid_argument if they are not those of such a
    // solver.
    [[nodiscard]] std::string save(size_t part) const {
        return {reinterpret_cast<const char*>(&states_[part * PART]), part_size(part) * sizeof(State)};
    }
    void load(size_t part, const std::string& bytes) {
        if (bytes.size() != part_size(part) * sizeof(State)) throw std::invalid_argument("the part does not fit");
        if (!Self::ABSENT && bytes.find_first_not_of('\0') == std::string::npos) return;  // its pages stay untouched
        std::memcpy(&states_[part * PART], bytes.data(), bytes.size());
    }

    // The counts. Like the two below it throws std::logic_error before the values are there.
    [[nodiscard]] Summary summary(int threads, const std::function<void()>& poll);
    // The values of `count` numbers from `first` on, `width` bytes each, little-endian. Of a number that is no
    // position: -1 if not everything was solved, otherwise the value before it.
    [[nodiscard]] std::string values(int width, Slot first, Slot count) const;
    // The numbers of at most `most` positions with that value that are reachable from the start, after summary(), and
    // no more than SAMPLE.
    [[nodiscard]] std::vector<Slot> reachable_with(Value value, size_t most) const;

 protected:
    static constexpr size_t SAMPLE = 1000;

    [[nodiscard]] State state_of(Slot slot) const {
        return std::atomic_ref(states_[slot]).load(std::memory_order_relaxed);
    }
    [[nodiscard]] Value value_of(Slot slot) const { return self().value(states_[slot]); }
    // Gives a position that is open its value.
    void decide(Slot slot, Value value) {
        change(slot, value, [&](State) { return State(value); });
    }
    // Takes away moves of an open position, which turned out to lose; with the last one it gets its value.
    void drop_moves(Slot slot, int moves, Value value) {
        change(slot, value, [&](State found) {
            const int left = self().moves_left(found) - moves;
            if (left < 0) throw std::logic_error("a position has more un-moves than moves");
            return left ? self().open_state(left) : State(value);
        });
    }

    const bool everything_;  // all positions are solved, and not only those that the start leads to
    struct Free {
        void operator()(State* states) const { std::free(states); }
    };
    std::unique_ptr<State[], Free> states_;

 private:
    friend Self;

    // All states are Self::ABSENT. Pages of zeros take no memory until they are written.
    Retrograde(Slot size, Slot start, bool everything)
        : Waves(size, start, everything),
          everything_(everything),
          states_(static_cast<State*>(std::calloc(size_, sizeof(State)))) {
        if (!states_) throw std::bad_alloc();
        if constexpr (Self::ABSENT) std::fill_n(states_.get(), size_, Self::ABSENT);
    }
    [[nodiscard]] Self& self() { return static_cast<Self&>(*this); }
    [[nodiscard]] const Self& self() const { return static_cast<const Self&>(*this); }
    // Replaces the state of a position that is open; with `value` it is due.
    template <class Next>
    void change(Slot slot, Value value, Next next) {
        std::atomic_ref state(states_[slot]);
        for (State found = state.load(std::memory_order_relaxed); self().is_open(found);) {
            const State now = next(found);
            if (!state.compare_exchange_weak(found, now, std::memory_order_relaxed)) continue;
            if (self().is_open(now)) return;
            known_.fetch_add(1, std::memory_order_relaxed);
            return due(slot / PART, value);
        }
    }
    [[nodiscard]] bool is_reachable(Slot slot) const {
        return !everything_ || (reachable_[slot >> 6] >> (slot & 63) & 1);
    }

    std::vector<std::vector<Slot>> samples_;  // by value: the first that are reachable, after summary()
};

class Solver : public Retrograde<Solver, uint16_t> {
 public:
    Solver(std::shared_ptr<const TableIndex> index, Slot start, bool everything);

    // How far the work has come, as bytes, and back.
    [[nodiscard]] std::string save_stage() const { return Waves::save_stage(everything_); }
    void load_stage(const std::string& bytes);

 private:
    friend Retrograde;

    // A state is a value from 1 on, or one of these, or UNDECIDED | moves that are not known to lose. CAUGHT is a win
    // by a capture that ends the game; moves to such a position are known to lose when they are counted, so that its
    // un-moves are never made.
    static constexpr State CAUGHT = 0x7FFF, UNDECIDED = 0x8000, NEW = 0xFFFE, ABSENT = 0xFFFF, MOST_MOVES = 0x3FFF;

    [[nodiscard]] static bool is_position(State state) { return state < NEW; }
    [[nodiscard]] static bool is_open(State state) { return state & UNDECIDED && state < NEW; }
    [[nodiscard]] static int moves_left(State state) { return state & ~UNDECIDED; }
    [[nodiscard]] static State open_state(int left) { return State(UNDECIDED | left); }
    [[nodiscard]] static Value value(State state) {
        return state & UNDECIDED ? DRAW : state == CAUGHT ? Value(2) : state;
    }
    [[nodiscard]] static Value limit() { return CAUGHT; }
    void expand_part(size_t part);
    void spread_part(size_t part, Value now);
    void finish() {}
    bool mark(Slot slot, State as);
    void mark_reachable(int threads, const std::function<void()>& poll);

    std::shared_ptr<const TableIndex> index_;
    Unmoves<SMALL> unmoves_;
    // An attack on a piece that its side does not survive without is a win for the other side, if to move.
    bool catches_;
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

template <class Self, class Number>
Summary Retrograde<Self, Number>::summary(int threads, const std::function<void()>& poll) {
    require_solved();
    Summary found;
    found.moves = moves_;
    if (everything_ && reachable_.empty()) self().mark_reachable(threads, poll);
    samples_.assign(1, {});
    for (Slot slot = 0; slot < size_; ++slot) {
        if (!self().is_position(states_[slot])) continue;
        const Value value = value_of(slot);
        if (value >= found.positions.size()) {
            found.positions.resize(size_t(value) + 1);
            found.reachable.resize(size_t(value) + 1);
            samples_.resize(size_t(value) + 1);
        }
        ++found.positions[value];
        if (!is_reachable(slot)) continue;
        ++found.reachable[value];
        if (samples_[value].size() < SAMPLE) samples_[value].push_back(slot);
    }
    return found;
}

template <class Self, class Number>
std::string Retrograde<Self, Number>::values(int width, Slot first, Slot count) const {
    require_solved();
    std::string bytes(size_t(count) * size_t(width), '\0');
    Slot before = first;
    while (before > 0 && !self().is_position(states_[before - 1])) --before;
    Value value = before > 0 ? value_of(before - 1) : DRAW;
    for (Slot i = 0; i < count; ++i) {
        const bool there = self().is_position(states_[first + i]);
        if (there) value = value_of(first + i);
        const Value written = there || everything_ ? value : Value(-1);
        for (int byte = 0; byte < width; ++byte) bytes[size_t(i) * width + byte] = char(written >> 8 * byte);
    }
    return bytes;
}

template <class Self, class Number>
std::vector<Slot> Retrograde<Self, Number>::reachable_with(Value value, size_t most) const {
    require_solved();
    if (samples_.empty()) throw std::logic_error("what the start leads to is not known yet");
    if (value >= samples_.size()) return {};
    const std::vector<Slot>& found = samples_[value];
    return {found.begin(), found.begin() + std::ptrdiff_t(std::min(most, found.size()))};
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

// As run_parallel(), and adds up the reports that work(task) returns.
template <class Report, class Work>
Report sum_parallel(int threads, size_t tasks, Work work, const std::function<void(size_t)>& done,
                    const std::function<void()>& poll) {
    Report report;
    std::mutex mutex;
    run_parallel(
        threads, tasks,
        [&](size_t task) {
            const Report found = work(task);
            const std::lock_guard lock(mutex);
            report.add(found);
        },
        done, poll);
    return report;
}

// Checks values against the moves, generated by the generic path; `everything` as in Solver. One position in `one_in`
// is checked: each belongs to one of as many shares, and `seed` chooses the share by its remainder. `done` is called
// for each part of Solver::PART numbers.
template <class Index>
AuditReport audit(const Index& index, std::string_view values, int width, bool everything, uint32_t one_in,
                  uint64_t seed, int threads, const std::function<void(size_t)>& done,
                  const std::function<void()>& poll);

}  // namespace komadai
