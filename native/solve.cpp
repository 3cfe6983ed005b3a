#include "solve.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "relative.hpp"

namespace komadai {

namespace {

constexpr auto POLLED = std::chrono::milliseconds(50);
constexpr size_t BATCH = 32;  // parts between two chances to save

}  // namespace

void run_parallel(int threads, size_t tasks, const std::function<void(size_t)>& work,
                  const std::function<void(size_t)>& done, const std::function<void()>& poll) {
    std::atomic<size_t> next{0};
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<size_t> finished;
    std::exception_ptr failed;
    int running = 0;

    auto run = [&] {
        try {
            for (size_t task; (task = next.fetch_add(1)) < tasks;) {
                work(task);
                std::lock_guard lock(mutex);
                finished.push_back(task);
                changed.notify_one();
            }
        } catch (...) {
            next = tasks;
            std::lock_guard lock(mutex);
            failed = std::current_exception();
        }
        std::lock_guard lock(mutex);
        --running;
        changed.notify_one();
    };
    std::vector<std::thread> workers;
    const auto wanted = std::min<size_t>(size_t(std::clamp(threads, 1, MAX_THREADS)), tasks);
    workers.reserve(wanted);
    auto join = [&] {
        for (std::thread& worker : workers) worker.join();
    };
    try {
        std::unique_lock lock(mutex);
        while (workers.size() < wanted) {
            try {
                workers.emplace_back(run);
            } catch (const std::exception&) {  // there is no room for another thread
                if (workers.empty()) throw;
                break;
            }
            ++running;
        }
        while (running > 0 || !finished.empty()) {
            changed.wait_for(lock, POLLED, [&] { return running == 0 || !finished.empty(); });
            std::vector<size_t> news = std::exchange(finished, {});
            lock.unlock();
            for (size_t task : news) done(task);
            poll();
            lock.lock();
        }
    } catch (...) {
        next = tasks;
        join();
        throw;
    }
    join();
    if (failed) std::rethrow_exception(failed);
}

void sweep_parts(int threads, PartFlags& flags, const std::function<void(size_t)>& work,
                 const std::function<void()>& batch, const std::function<void()>& poll, bool& spoilt) {
    for (bool any = true; any;) {
        any = false;
        for (size_t next = 0; next < flags.size();) {
            std::vector<size_t> chosen;
            for (; next < flags.size() && chosen.size() < BATCH; ++next)
                if (flags[next]) chosen.push_back(next);
            if (chosen.empty()) break;
            any = true;
            for (size_t part : chosen) flags[part] = 0;
            try {
                run_parallel(threads, chosen.size(), [&](size_t task) { work(chosen[task]); }, [](size_t) {}, poll);
            } catch (...) {
                spoilt = true;
                throw;
            }
            batch();
        }
    }
}

Waves::Waves(Slot size, Slot start, bool everything) : size_(size), start_(start), pending_(parts(), everything) {
    if (start_ >= size_) throw std::invalid_argument("the start is not in the index");
    for (size_t value = 0; value < FIRST_WAVES; ++value) due_.emplace_back(parts(), 0);
}

void Waves::propagate(int threads, Value limit, const std::function<void(size_t)>& spread, const Tick& tick,
                      const std::function<void()>& poll) {
    for (; size_t(now_) < due_.size(); ++now_) {
        if (now_ + 1 >= limit) throw_too_long();
        if (due_.size() == now_ + 1u && std::ranges::count(due_[now_], 1)) due_.emplace_back(parts(), 0);
        sweep(threads, due_[now_], spread, [&] { tick(known_, positions_); }, poll);
    }
}

void Waves::throw_too_long() {
    throw std::length_error("the longest win has more plies than the state of a position can hold");
}

void Waves::require_sound() const {
    if (spoilt_) throw std::logic_error("an error has ended the work; begin with the states saved last");
}

void Waves::require_solved() const {
    require_sound();
    if (now_ != due_.size() || std::ranges::count(pending_, 1)) throw std::logic_error("the values are not there yet");
}

std::string Waves::save_stage(uint64_t own) const {
    require_sound();
    std::string bytes;
    for (uint64_t number :
         {uint64_t(size_), own, uint64_t(now_), positions_.load(), moves_.load(), known_.load(), uint64_t(due_.size())})
        bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    bytes.append(pending_.begin(), pending_.end());
    for (const PartFlags& flags : due_) bytes.append(flags.begin(), flags.end());
    return bytes;
}

uint64_t Waves::load_stage(const std::string& bytes, const std::function<bool(uint64_t, uint64_t)>& fits) {
    std::array<uint64_t, 7> head{};
    if (bytes.size() < sizeof head) throw std::invalid_argument("the stage is cut off");
    std::memcpy(head.data(), bytes.data(), sizeof head);
    const auto [size, own, now, positions, moves, known, waves] = head;
    if (size != size_ || now < 1 || now > waves || waves < FIRST_WAVES || !fits(own, waves) ||
        bytes.size() != sizeof head + parts() * (waves + 1))
        throw std::invalid_argument("the stage does not fit together");
    auto at = bytes.begin() + sizeof head;
    auto take = [&] {
        const auto first = at;
        at += std::ptrdiff_t(parts());
        return PartFlags(first, at);
    };
    PartFlags pending = take();  // an error of the memory leaves all as it was
    std::deque<PartFlags> due;
    for (uint64_t i = 0; i < waves; ++i) due.push_back(take());
    pending_.swap(pending);
    due_.swap(due);
    now_ = Value(now);
    positions_ = positions;
    moves_ = moves;
    known_ = known;
    return own;
}

Solver::Solver(std::shared_ptr<const TableIndex> index, Slot start, bool everything)
    : Retrograde(index->size(), start, everything), index_(std::move(index)), unmoves_(*index_->rules()) {
    const auto& rules = *index_->rules();
    catches_ = !rules.has_royal && !rules.is_compound && !rules.survives_if.empty() && rules.rules.empty() &&
               std::ranges::all_of(rules.info, [&](const auto& info) { return info.may_land == rules.board; });
    if (!everything_) mark(start_, NEW);
}

// Notes that the position is reached; returns whether it was not before.
bool Solver::mark(Slot slot, State as) {
    State absent = ABSENT;
    if (!std::atomic_ref(states_[slot]).compare_exchange_strong(absent, as, std::memory_order_relaxed)) return false;
    if (as == NEW) std::atomic_ref(pending_[slot / PART]).store(1, std::memory_order_relaxed);
    return true;
}

void Solver::expand_part(size_t part) {
    enum Fate : uint8_t { OPEN, WINS, LOSES, THROWN };  // of a move; THROWN: the opponent has won without a move
    auto position = index_->blank();
    const bool ends = position.rules().ends_on_board();
    MoveList moves;
    std::vector<Fate> fates;
    uint64_t positions = 0, all_moves = 0, known = 0;
    for (Slot slot = Slot(part) * PART, stop = slot + part_size(part); slot < stop; ++slot) {
        if (!everything_ && state_of(slot) != NEW) continue;
        index_->set_up(slot, position);
        if (everything_ && !index_->counts(slot, position)) continue;
        ++positions;
        const Side us = position.side_to_move();
        if (catches_ && position.in_check(~us)) {
            std::atomic_ref(states_[slot]).store(CAUGHT, std::memory_order_relaxed);
            ++known;
            continue;
        }
        moves.clear();
        position.legal_moves(moves);
        all_moves += moves.size();
        if (moves.size() > MOST_MOVES) throw std::length_error("a position has too many moves");
        fates.assign(moves.size(), OPEN);
        bool wins = false, catches = false;
        for (size_t i = 0; ends && i < moves.size() && !catches; ++i) {
            position.push(moves[i]);
            const Outcome end = position.outcome_on_board();
            if (end.end != End::NONE) {
                fates[i] = end.winner == us ? WINS : THROWN;
                wins |= end.winner == us;
                catches |= end.winner == us && end.end == End::EXTINCTION;
            } else if (catches_ && position.in_check(us)) {
                fates[i] = LOSES;
            }
            position.pop();
        }
        const auto left = std::ranges::count(fates, OPEN);
        // A game that a move throws away counts as one that the opponent wins with the next move.
        const Value value = wins ? 2 : moves.empty() ? 1 : left == 0 ? 3 : DRAW;
        if (!everything_ && !catches)
            for (size_t i = 0; i < moves.size(); ++i) {
                if (fates[i] == THROWN) continue;
                position.push(moves[i]);
                const Slot next = index_->find(position);
                position.pop();
                if (next == NO_SLOT) throw std::logic_error("a move leads out of the table");
                if (mark(next, fates[i] == LOSES ? CAUGHT : NEW) && fates[i] == LOSES) {
                    ++positions;
                    ++known;
                }
            }
        std::atomic_ref(states_[slot]).store(value ? value : State(UNDECIDED | left), std::memory_order_relaxed);
        if (value) {
            ++known;
            due(part, value);
        }
    }
    positions_ += positions;
    moves_ += all_moves;
    known_ += known;
}

void Solver::spread_part(size_t part, Value now) {
    auto position = index_->blank();
    const Value next = Value(now + 1);
    std::vector<TableIndex::Place> before;
    for (Slot slot = Slot(part) * PART, stop = slot + part_size(part); slot < stop; ++slot) {
        if (state_of(slot) != now) continue;
        index_->set_up(slot, position);
        if (is_loss(now)) {  // a move to it wins
            unmoves_.each(position, [&](Move) {
                if (const Slot found = index_->find(position); found != NO_SLOT) decide(found, next);
            });
            continue;
        }
        before.clear();
        unmoves_.each(position, [&](Move) {
            if (const auto found = index_->locate(position); found.slot != NO_SLOT) before.push_back(found);
        });
        if (before.empty()) continue;
        // Of a position that is its own image, moves come in pairs that lead to images of each other, which share a
        // number; of one that leads to such a position, un-moves do.
        const bool fixed = index_->locate(position).fixed;
        if (fixed) std::ranges::sort(before, {}, &TableIndex::Place::slot);
        for (size_t i = 0; i < before.size(); ++i) {
            if (fixed && !before[i].fixed) ++i;
            drop_moves(before[i].slot, !fixed && before[i].fixed ? 2 : 1, next);
        }
    }
}

void Solver::load_stage(const std::string& bytes) {
    Waves::load_stage(bytes, [&](uint64_t everything, uint64_t waves) {
        return everything == uint64_t(everything_) && waves <= UNDECIDED;
    });
}

// Finds the positions that play from the start leads to while nobody passes over a capture that ends the game.
void Solver::mark_reachable(int threads, const std::function<void()>& poll) {
    auto begin = [&] {
        return [this, position = index_->blank(), moves = MoveList(), found = std::vector<Slot>()](
                   Slot slot, const auto& reach) mutable {
            if (states_[slot] == CAUGHT) return;
            index_->set_up(slot, position);
            moves.clear();
            position.legal_moves(moves);
            found.clear();
            bool catches = false;
            for (size_t i = 0; i < moves.size() && !catches; ++i) {
                const Takeback taken((position.push(moves[i]), position));
                catches = position.outcome_on_board().end == End::EXTINCTION &&
                          position.outcome_on_board().winner != position.side_to_move();
                if (const Slot next = index_->find(position); next != NO_SLOT) found.push_back(next);
            }
            if (!catches) std::ranges::for_each(found, reach);
        };
    };
    Waves::mark_reachable(threads, poll, begin);
}

// The value of a position by those of what its moves lead to. `absent`: of positions whose value is not known; DRAW:
// there are none.
template <class Index, class Position, class ValueOf>
Value value_by_moves(const Index& index, Position& position, const MoveList& moves, ValueOf value_of, Value absent) {
    BestValue best;
    bool unknown = false;
    for (Move move : moves) {
        position.push(move);
        const Outcome end = position.outcome_on_board();
        Slot next = index.find(position);
        position.pop();
        // Of an end on the board: the side to move has lost, or has won, as with the next move.
        Value value = end.end != End::NONE ? Value(end.winner == position.side_to_move() ? 1 : 2) : DRAW;
        if (value == DRAW) {
            if (next == NO_SLOT) throw std::logic_error("a move leads out of the table");
            value = value_of(next);
            if (absent != DRAW && value == absent) {
                unknown = true;
                continue;
            }
        }
        best.add(value);
    }
    // Play does not go on where it can end at once, so what comes after may not be in the table.
    return unknown && best.value() != 2 ? absent : best.value();
}

template <class Index>
AuditReport audit(const Index& index, std::string_view values, int width, bool everything, uint32_t one_in,
                  uint64_t seed, int threads, const std::function<void(size_t)>& done,
                  const std::function<void()>& poll) {
    if (values.size() != size_t(index.size()) * size_t(width))
        throw std::invalid_argument("there are not as many values as positions");
    auto value_of = [&](Slot slot) {
        Value value = 0;
        for (int byte = 0; byte < width; ++byte)
            value = Value(value | uint8_t(values[size_t(slot) * width + byte]) << 8 * byte);
        return value;
    };
    const auto absent = Value(width == 1 ? 0xFF : 0xFFFF);
    auto check = [&](size_t part) {
        AuditReport found;
        auto position = index.blank();
        MoveList moves;
        const uint64_t stop = std::min<uint64_t>(index.size(), (uint64_t(part) + 1) * Solver::PART);
        for (uint64_t at = uint64_t(part) * Solver::PART; at < stop; ++at) {
            auto slot = Slot(at);
            if (one_in > 1 && mix(at) % one_in != seed % one_in) continue;
            if (!everything && value_of(slot) == absent) continue;
            index.set_up(slot, position);
            if (!index.counts(slot, position)) continue;
            moves.clear();
            position.legal_moves_generic(moves);
            const Value right = value_by_moves(index, position, moves, value_of, everything ? DRAW : absent);
            ++found.positions;
            found.moves += moves.size();
            if (right != value_of(slot)) found.wrong.push_back(slot);
        }
        return found;
    };
    const size_t parts = (uint64_t(index.size()) + Solver::PART - 1) / Solver::PART;
    return sum_parallel<AuditReport>(threads, parts, check, done, poll);
}

template AuditReport audit(const TableIndex&, std::string_view, int, bool, uint32_t, uint64_t, int,
                           const std::function<void(size_t)>&, const std::function<void()>&);
template AuditReport audit(const RelativeIndex&, std::string_view, int, bool, uint32_t, uint64_t, int,
                           const std::function<void(size_t)>&, const std::function<void()>&);

}  // namespace komadai
