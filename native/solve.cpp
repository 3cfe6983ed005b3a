#include "solve.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace komadai {

namespace {

constexpr auto POLLED = std::chrono::milliseconds(50);
constexpr size_t CHUNK = 1 << 14;  // positions of a wave per task

template <class T>
void append(std::string& bytes, const std::vector<T>& items) {
    uint64_t count = items.size();
    bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
    bytes.append(reinterpret_cast<const char*>(items.data()), count * sizeof(T));
}

template <class T>
std::vector<T> take(const std::string& bytes, size_t& at) {
    uint64_t count;
    if (bytes.size() - at < sizeof count) throw std::invalid_argument("the part is cut off");
    std::memcpy(&count, bytes.data() + at, sizeof count);
    at += sizeof count;
    if (count > (bytes.size() - at) / sizeof(T)) throw std::invalid_argument("the part is cut off");
    std::vector<T> items(count);
    if (count) std::memcpy(items.data(), bytes.data() + at, count * sizeof(T));
    at += count * sizeof(T);
    return items;
}

uint64_t count_bits(const std::vector<uint64_t>& words) {
    uint64_t total = 0;
    for (uint64_t word : words) total += uint64_t(std::popcount(word));
    return total;
}

constexpr bool is_loss(Value value) { return value & 1; }

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
    const auto wanted = std::min<size_t>(size_t(std::max(threads, 1)), tasks);
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

Solver::Solver(std::shared_ptr<const TableIndex> index, Slot start)
    : index_(std::move(index)), start_(start), parts_((uint64_t(index_->size()) + PART - 1) / PART) {}

void Solver::expand_part(size_t part) {
    Part made;
    made.legal.assign((part_size(part) + 63) / 64, 0);
    auto position = index_->blank();
    MoveList moves;
    for (Slot i = 0; i < part_size(part); ++i) {
        Slot slot = Slot(part) * PART + i;
        index_->set_up(slot, position);
        if (!index_->counts(slot, position)) continue;
        made.legal[i >> 6] |= uint64_t(1) << (i & 63);
        moves.clear();
        position.legal_moves(moves);
        made.degree.push_back(uint16_t(moves.size()));
        for (Move move : moves) {
            position.push(move);
            made.children.push_back(index_->find(position));
            position.pop();
            if (made.children.back() == NO_SLOT) throw std::logic_error("a move leads out of the table");
        }
    }
    made.children.shrink_to_fit();
    parts_[part] = std::move(made);
}

void Solver::expand(int threads, const std::function<void(size_t)>& done, const std::function<void()>& poll) {
    std::vector<size_t> missing;
    for (size_t part = 0; part < parts_.size(); ++part)
        if (!has_part(part)) missing.push_back(part);
    run_parallel(
        threads, missing.size(), [&](size_t task) { expand_part(missing[task]); },
        [&](size_t task) { done(missing[task]); }, poll);
}

std::string Solver::save(size_t part) const {
    std::string bytes;
    append(bytes, parts_[part].legal);
    append(bytes, parts_[part].degree);
    append(bytes, parts_[part].children);
    return bytes;
}

void Solver::load(size_t part, const std::string& bytes) {
    size_t at = 0;
    Part loaded;
    loaded.legal = take<uint64_t>(bytes, at);
    loaded.degree = take<uint16_t>(bytes, at);
    loaded.children = take<Slot>(bytes, at);
    uint64_t moves = 0;
    for (uint16_t degree : loaded.degree) moves += degree;
    if (at != bytes.size() || loaded.legal.size() != (part_size(part) + 63) / 64 ||
        count_bits(loaded.legal) != loaded.degree.size() || moves != loaded.children.size() ||
        std::ranges::any_of(loaded.children, [&](Slot slot) { return slot >= index_->size(); }))
        throw std::invalid_argument("the part does not fit together");
    parts_[part] = std::move(loaded);
}

Solver::Id Solver::id(Slot slot) const {
    uint64_t word = parts_[slot / PART].legal[slot % PART >> 6];
    if (!(word >> (slot & 63) & 1)) throw std::logic_error("a move leads to a position that is not legal");
    return before_[slot >> 6] + Id(std::popcount(word & ((uint64_t(1) << (slot & 63)) - 1)));
}

void Solver::number_positions() {
    before_.clear();
    positions_ = 0;
    for (const Part& part : parts_)
        for (uint64_t word : part.legal) {
            before_.push_back(positions_);
            positions_ += Id(std::popcount(word));
        }
}

void Solver::propagate(int threads, const std::function<void(int, uint64_t, uint64_t)>& wave,
                       const std::function<void()>& poll) {
    for (size_t part = 0; part < parts_.size(); ++part)
        if (!has_part(part)) throw std::logic_error("the moves are not all there");
    if (has_values()) return;
    try {
        find_values(threads, wave, poll);
    } catch (...) {
        for (Part& part : parts_) part = {};
        summary_ = {};
        throw;
    }
}

void Solver::find_values(int threads, const std::function<void(int, uint64_t, uint64_t)>& wave,
                         const std::function<void()>& poll) {
    number_positions();
    auto nothing = [](size_t) {};
    auto first_of = [&](size_t part) { return before_[part * (PART / 64)]; };

    // Replaces the children's numbers by ids and counts the predecessors of each.
    std::vector<uint32_t> end(size_t(positions_) + 1, 0);
    std::vector<uint16_t> left(positions_);  // moves not known to lose
    std::atomic<uint64_t> moves{0};
    run_parallel(
        threads, parts_.size(),
        [&](size_t part) {
            for (Slot& child : parts_[part].children) {
                child = id(child);
                std::atomic_ref(end[child + 1]).fetch_add(1, std::memory_order_relaxed);
            }
            std::ranges::copy(parts_[part].degree, left.begin() + first_of(part));
            moves += parts_[part].children.size();
        },
        nothing, poll);
    if (moves >= UINT32_MAX) throw std::length_error("the game has too many moves to invert");
    for (Id i = 0; i < positions_; ++i) end[i + 1] += end[i];
    // end[i + 1] is the end of the predecessors of i; filling them in counts it down to their beginning.
    std::vector<Id> predecessors(moves);
    run_parallel(
        threads, parts_.size(),
        [&](size_t part) {
            const Part& from = parts_[part];
            size_t at = 0;
            for (Id i = 0; i < from.degree.size(); ++i)
                for (uint16_t move = 0; move < from.degree[i]; ++move) {
                    uint32_t place = std::atomic_ref(end[from.children[at++] + 1]).fetch_sub(1) - 1;
                    predecessors[place] = first_of(part) + i;
                }
        },
        nothing, poll);
    // Now end[i + 1] is the beginning of the predecessors of i, and end[i + 2] their end.
    auto begin_of = [&](Id i) { return end[size_t(i) + 1]; };
    auto end_of = [&](Id i) { return i + 1 < positions_ ? end[size_t(i) + 2] : uint32_t(predecessors.size()); };

    mark_reachable();
    for (Part& part : parts_) {
        part.children = {};
        part.degree = {};
    }

    value_.assign(positions_, DRAW);
    std::vector<Id> frontier;
    for (Id i = 0; i < positions_; ++i)
        if (left[i] == 0) {
            value_[i] = 1;
            frontier.push_back(i);
        }
    summary_.moves = moves;
    summary_.positions.assign(2, 0);
    uint64_t known = 0;
    for (Value now = 1; !frontier.empty(); ++now) {
        if (now == UINT16_MAX) throw std::length_error("the longest win is too long");
        known += frontier.size();
        summary_.positions.resize(size_t(now) + 1);
        summary_.positions[now] = frontier.size();
        wave(now - 1, known, positions_);
        std::vector<Id> next;
        std::mutex mutex;
        run_parallel(
            threads, (frontier.size() + CHUNK - 1) / CHUNK,
            [&](size_t task) {
                std::vector<Id> found;
                size_t stop = std::min(frontier.size(), (task + 1) * CHUNK);
                for (size_t at = task * CHUNK; at < stop; ++at) {
                    Id i = frontier[at];
                    for (uint32_t p = begin_of(i); p < end_of(i); ++p) {
                        Id before = predecessors[p];
                        if (is_loss(now)) {  // the move to it wins
                            Value unknown = DRAW;
                            if (std::atomic_ref(value_[before]).compare_exchange_strong(unknown, Value(now + 1)))
                                found.push_back(before);
                        } else if (std::atomic_ref(left[before]).fetch_sub(1) == 1) {  // the last move left loses too
                            std::atomic_ref(value_[before]).store(Value(now + 1));
                            found.push_back(before);
                        }
                    }
                }
                std::lock_guard lock(mutex);
                next.insert(next.end(), found.begin(), found.end());
            },
            nothing, poll);
        frontier = std::move(next);
    }
    summary_.positions[DRAW] = positions_ - known;
    summary_.reachable.assign(summary_.positions.size(), 0);
    for (Id i = 0; i < positions_; ++i)
        if (reachable_[i]) ++summary_.reachable[value_[i]];
}

void Solver::mark_reachable() {
    reachable_.assign(positions_, false);
    std::vector<Id> starts;                                   // by part
    std::vector<std::vector<uint32_t>> first(parts_.size());  // by part and position: its first child
    for (size_t part = 0; part < parts_.size(); ++part) {
        starts.push_back(before_[part * (PART / 64)]);
        uint32_t at = 0;
        for (uint16_t degree : parts_[part].degree) {
            first[part].push_back(at);
            at += degree;
        }
    }
    std::vector<Id> waiting{id(start_)};
    reachable_[waiting.back()] = true;
    while (!waiting.empty()) {
        Id i = waiting.back();
        waiting.pop_back();
        auto part = size_t(std::ranges::upper_bound(starts, i) - starts.begin()) - 1;
        Id at = i - starts[part];
        for (uint16_t move = 0; move < parts_[part].degree[at]; ++move) {
            Id child = parts_[part].children[first[part][at] + move];
            if (reachable_[child]) continue;
            reachable_[child] = true;
            waiting.push_back(child);
        }
    }
}

void Solver::require_values() const {
    if (!has_values()) throw std::logic_error("the values have not been computed");
}

std::string Solver::values(int width) const {
    require_values();
    std::string bytes(size_t(index_->size()) * size_t(width), '\0');
    Id i = 0;
    Value value = DRAW;
    for (Slot slot = 0; slot < index_->size(); ++slot) {
        if (parts_[slot / PART].legal[slot % PART >> 6] >> (slot & 63) & 1) value = value_[i++];
        for (int byte = 0; byte < width; ++byte) bytes[size_t(slot) * width + byte] = char(value >> 8 * byte);
    }
    return bytes;
}

std::vector<Slot> Solver::reachable_with(Value value, size_t most) const {
    require_values();
    std::vector<Slot> found;
    Id i = 0;
    for (size_t part = 0; part < parts_.size(); ++part)
        for (size_t word = 0; word < parts_[part].legal.size(); ++word)
            for (uint64_t bits = parts_[part].legal[word]; bits; bits &= bits - 1, ++i)
                if (value_[i] == value && reachable_[i] && found.size() < most)
                    found.push_back(Slot(part * PART + word * 64 + std::countr_zero(bits)));
    return found;
}

AuditReport audit(const TableIndex& index, std::string_view values, int width, uint32_t one_in, uint64_t seed,
                  int threads, const std::function<void(size_t)>& done, const std::function<void()>& poll) {
    constexpr size_t most_wrong = 100;
    if (values.size() != size_t(index.size()) * size_t(width))
        throw std::invalid_argument("there are not as many values as positions");
    auto value_of = [&](Slot slot) {
        Value value = 0;
        for (int byte = 0; byte < width; ++byte)
            value = Value(value | uint8_t(values[size_t(slot) * width + byte]) << 8 * byte);
        return value;
    };
    AuditReport report;
    std::mutex mutex;
    run_parallel(
        threads, (uint64_t(index.size()) + Solver::PART - 1) / Solver::PART,
        [&](size_t part) {
            AuditReport found;
            auto position = index.blank();
            MoveList moves;
            uint64_t stop = std::min<uint64_t>(index.size(), (uint64_t(part) + 1) * Solver::PART);
            for (uint64_t at = uint64_t(part) * Solver::PART; at < stop; ++at) {
                auto slot = Slot(at);
                if (one_in > 1 && mix(seed ^ mix(at)) % one_in) continue;
                index.set_up(slot, position);
                if (!index.counts(slot, position)) continue;
                moves.clear();
                position.legal_moves_generic(moves);
                Value win = 0, loss = 0;
                bool draw = false;
                for (Move move : moves) {
                    position.push(move);
                    Slot next = index.find(position);
                    position.pop();
                    if (next == NO_SLOT) throw std::logic_error("a move leads out of the table");
                    Value value = value_of(next);
                    if (value == DRAW)
                        draw = true;
                    else if (is_loss(value))
                        win = win ? std::min(win, Value(value + 1)) : Value(value + 1);
                    else
                        loss = std::max(loss, Value(value + 1));
                }
                Value right = win ? win : draw ? DRAW : moves.empty() ? Value(1) : loss;
                ++found.positions;
                found.moves += moves.size();
                if (right != value_of(slot)) found.wrong.push_back(slot);
            }
            std::lock_guard lock(mutex);
            report.positions += found.positions;
            report.moves += found.moves;
            for (Slot slot : found.wrong)
                if (report.wrong.size() < most_wrong) report.wrong.push_back(slot);
        },
        done, poll);
    return report;
}

}  // namespace komadai
