// Mates by checks alone: depth-first proof-number search (df-pn, Nagai 2002) for games in which each side has one royal
// piece.
//
// The attacker, who is to move at the root, makes only moves that give check; the defender makes any legal move. Rules
// about drops and mates need no code here, because only legal moves are tried. A repeated position on the path counts
// as a failure of the attacker. Proofs never depend on the path; disproofs may, and are then stored for that path
// alone.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <optional>

#include "position.hpp"

namespace komadai {

enum class Verdict : int { UNKNOWN, MATE, NO_MATE };

struct MateLimits {
    uint64_t nodes = UINT64_MAX;
    double seconds = 0;  // 0: no limit
};

struct MateReport {
    Verdict verdict = Verdict::UNKNOWN;
    MoveList line;  // of a mate: to its end
    uint64_t nodes = 0;
    double seconds = 0;
};

// Proof and disproof numbers of positions, by board and hands.
class MateTable {
 public:
    // Hands as counts side by side in one word; the highest bit of each count is free.
    struct Hands {
        uint64_t attacker = 0, defender = 0;
        bool operator==(const Hands&) const = default;
    };
    struct Entry {
        uint64_t board = 0;
        Hands hands;
        uint32_t pn = 0;       // 0: mate
        uint32_t dn = 0;       // 0: no mate
        uint16_t length = 0;   // of a proof: plies to mate by the line found
        uint16_t depends = 0;  // of a disproof for one path: the first ply that it depends on
        uint16_t work = 0;     // nodes spent, saturated
        uint16_t age = 0;
    };

    explicit MateTable(size_t megabytes);
    // Forgets everything, in constant time.
    void clear();
    // The entry that settles the position, or the one of the same hands. A mate stays one with more in the attacker's
    // hand and less in the defender's, a failure with less and more. `high` has the free bits; 0: hands must be equal.
    [[nodiscard]] const Entry* find(uint64_t board, const Hands& hands, uint64_t high) const;
    void store(Entry entry);

 private:
    static constexpr size_t CLUSTER = 8;

    [[nodiscard]] size_t at(uint64_t board) const { return (board * CLUSTER) & (entries_.size() - 1); }

    std::vector<Entry> entries_;
    uint16_t age_ = 1;  // entries of another are free
};

template <int W>
class MateSearch {
 public:
    // `poll` is called now and then; it may throw to abort. Each run clears the table.
    MateSearch(const Position<W>& position, MateTable& table, const std::atomic<bool>& stop,
               std::function<void()> poll);

    // Searches until the position is proved or disproved, or a limit is reached. In games of compound moves or without
    // one royal piece a side the verdict is UNKNOWN.
    MateReport run(const MateLimits& limits);

 private:
    struct Stopped {};
    struct Numbers {
        uint32_t pn = 1, dn = 1;
        uint16_t length = 0;
        uint16_t depends;  // of a disproof: the first ply of the path that it depends on, or NOTHING
    };
    struct Child {
        Move move;
        Numbers numbers;
        int after = -1;  // tried only when that child is settled
    };
    struct Ply {
        MoveList moves;
        std::vector<Child> children;
    };
    // The best child, and the numbers of the node.
    struct Choice {
        Numbers numbers;
        size_t best = 0;
        uint32_t second = 0;  // the second best number
        uint32_t others = 0;  // open children besides the best
    };

    Numbers search(size_t ply, uint32_t most_pn, uint32_t most_dn);
    void expand(size_t ply);
    void arrange(Ply& here) const;
    [[nodiscard]] Choice choose(size_t ply) const;
    [[nodiscard]] Numbers look(size_t ply);
    [[nodiscard]] Numbers estimate();
    void keep(size_t ply, const Numbers& numbers, uint64_t work);
    [[nodiscard]] std::optional<MoveList> line();
    void enter(size_t ply);
    void visit();
    [[nodiscard]] bool attacks() const { return position_.side_to_move() == attacker_; }
    [[nodiscard]] uint64_t board_key() const;
    [[nodiscard]] MateTable::Hands hands() const;
    [[nodiscard]] bool hands_compare() const;
    [[nodiscard]] Ply& at(size_t ply);
    double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

    Position<W> position_;
    MateTable& table_;
    const std::atomic<bool>& stop_;
    std::function<void()> poll_;
    Side attacker_;
    int hand_bits_ = 0;  // per count; 0: hands are part of the key
    uint64_t high_ = 0;
    std::vector<uint64_t> last_keys_;         // positions that end the game by repetition if they occur once more
    std::deque<Ply> plies_;                   // a deque keeps references valid
    std::vector<uint64_t> path_, path_hash_;  // keys of the positions on the path, and a hash of the path before each
    MoveList scratch_;
    MateLimits limits_;
    uint64_t nodes_ = 0;
    bool by_path_ = false;  // the table holds disproofs for one path alone
    bool cut_ = false;      // a line was too long to follow
    std::chrono::steady_clock::time_point start_;
};

extern template class MateSearch<2>;
extern template class MateSearch<6>;
extern template class MateSearch<10>;

}  // namespace komadai
