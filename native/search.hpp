// Iterative-deepening alpha-beta over any variant: transposition table, quiescence, killers and history.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>

#include "position.hpp"

namespace komadai {

constexpr int MATE = 30000;  // the score of a won end, less the plies to it
constexpr int MATE_BOUND = MATE - 1000;
constexpr int MAX_PLY = 100;

struct Limits {
    int depth = MAX_PLY - 1;
    uint64_t nodes = UINT64_MAX;
    double seconds = 0;  // 0: no limit
    int lines = 1;       // how many root moves to report, best first (MultiPV)
};

struct Line {
    int score = 0;  // for the side to move, in hundredths of the least piece; ±(MATE - plies) for a forced end
    MoveList moves;
};

struct Report {
    int depth = 0;
    uint64_t nodes = 0;
    double seconds = 0;
    std::vector<Line> lines;
};

class TranspositionTable {
 public:
    enum Bound : uint8_t { NONE, UPPER, LOWER, EXACT };
    struct Entry {
        uint64_t key = 0;
        uint64_t move = 0;
        int16_t score = 0;
        int8_t depth = 0;
        Bound bound = NONE;
    };

    explicit TranspositionTable(size_t megabytes) { resize(megabytes); }
    void resize(size_t megabytes) {
        size_t entries = 1024;
        while (entries * 2 * sizeof(Entry) <= megabytes << 20) entries *= 2;
        entries_.assign(entries, Entry{});
    }
    void clear() { entries_.assign(entries_.size(), Entry{}); }
    Entry& at(uint64_t key) { return entries_[key & (entries_.size() - 1)]; }

 private:
    std::vector<Entry> entries_;
};

template <int W>
class Search {
 public:
    // `poll` is called now and then from within; it may throw to give up.
    Search(const Position<W>& position, TranspositionTable& table, const std::atomic<bool>& stop,
           std::function<void()> poll)
        : position_(position),
          table_(table),
          stop_(stop),
          poll_(std::move(poll)),
          history_(position.rules().info.size() * size_t(position.rules().cells), 0) {}

    // Searches until a limit; `report` is called after every completed depth. Returns the last report.
    Report run(const Limits& limits, const std::function<void(const Report&)>& report);

 private:
    struct Stopped {};
    struct Ply {
        MoveList moves;
        std::vector<int> order;
        Move killers[2];
        MoveList line;
    };

    int root(int depth, const std::vector<Move>& excluded, MoveList& line);
    int search(int depth, int alpha, int beta, int ply);
    int quiesce(int alpha, int beta, int ply, int checks);
    int evaluate() const;
    void visit();
    void sort(Ply& ply, uint64_t first);
    Move pick(Ply& ply, size_t index);
    int gain(Move move) const;
    bool is_tactical(Move move) const;
    bool pays(Move move) const;
    std::optional<int> decided(int ply) const;
    bool in_check();
    void push(Move move);
    int& history(Move move) { return history_[size_t(move.piece) * position_.rules().cells + move.to]; }
    std::optional<int> end_by_repetition(int ply) const;
    double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

    Position<W> position_;
    TranspositionTable& table_;
    const std::atomic<bool>& stop_;
    std::function<void()> poll_;
    std::vector<int> history_;
    std::array<Ply, MAX_PLY + 1> plies_;
    MoveList root_moves_;
    Limits limits_;
    uint64_t nodes_ = 0;
    size_t root_plies_ = 0;
    Line partial_;  // the best root move of an unfinished depth
    std::chrono::steady_clock::time_point start_;
};

extern template class Search<2>;
extern template class Search<6>;
extern template class Search<10>;

}  // namespace komadai
