// The moves of a node in the order in which they are searched.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "history.hpp"
#include "tactics.hpp"
#include "team.hpp"

namespace komadai {

template <int W, template <int> class Game>
class MovePicker {
 public:
    enum Stage : uint8_t { HASH_MOVE, CAPTURES, KILLERS, QUIETS, LOSING_CAPTURES, CLAIMED, DONE };
    struct Picked {
        Move move;
        bool hash_move, quiet;
    };
    // The killer moves, and then the counter-move.
    using Killers = std::array<Move, 3>;
    using Continuations = typename History<W>::Continuations;

    MovePicker(const Game<W>& game, History<W>& history) : game_(game), history_(history) {}

    // Sorts the moves of the position into stages. Quiet moves are not scored before theirs begins: most nodes are
    // done with by then. `losing_last`: captures that lose material come after them.
    void begin(uint32_t hash_move, const Killers& killers, const Continuations& after, bool losing_last);
    // Next move; losing captures, and moves claimed by other threads if `claims` are given, come last.
    [[nodiscard]] std::optional<Picked> next(const Claims* claims = nullptr);
    // Leaves out the quiet moves still to come that give no direct check, and returns their number.
    int skip_quiets();

    MoveList moves;

 private:
    static constexpr size_t SORTED_LATE = 6;          // moves of a stage picked one by one before the rest is sorted
    static constexpr int CRITICAL_CAPTURE = 1 << 23;  // more than any material

    // A move's score with its place in the list: greater scores first, then lower places.
    class Scored {
     public:
        Scored(int score, size_t at) : packed_(int64_t(score) * (int64_t(1) << 32) | uint32_t(~at)) {}
        [[nodiscard]] size_t at() const { return uint32_t(~packed_); }
        bool operator<(const Scored& other) const { return packed_ > other.packed_; }

     private:
        int64_t packed_;
    };

    [[nodiscard]] int capture_score(Move move) const;
    [[nodiscard]] bool is_quiet(Move move) const {
        if (stage_ == HASH_MOVE || stage_ == CLAIMED) return !game_.is_tactical(move);
        return stage_ == KILLERS || stage_ == QUIETS;
    }
    void score_quiets();
    [[nodiscard]] Scored pick();

    const Game<W>& game_;
    History<W>& history_;
    Continuations after_{};
    std::array<std::vector<Scored>, DONE> stages_;
    uint8_t stage_ = HASH_MOVE;
    size_t picked_ = 0;  // moves of the stage
    bool losing_last_ = false;
};

template <int W, template <int> class Game>
void MovePicker<W, Game>::begin(uint32_t hash_move, const Killers& killers, const Continuations& after,
                                bool losing_last) {
    after_ = after;
    losing_last_ = losing_last;
    stage_ = HASH_MOVE;
    picked_ = 0;
    for (auto& stage : stages_) stage.clear();
    for (size_t at = 0; at < moves.size(); ++at) {
        const Move& move = moves[at];
        if (hash_move && move.short_id() == hash_move) {
            stages_[HASH_MOVE].emplace_back(0, at);
            hash_move = 0;
        } else if (game_.is_tactical(move)) {
            stages_[CAPTURES].emplace_back(capture_score(move), at);
        } else if (const auto killer = std::ranges::find(killers, move); killer != killers.end()) {
            stages_[KILLERS].emplace_back(int(killers.end() - killer), at);
        } else {
            stages_[QUIETS].emplace_back(0, at);
        }
    }
}

template <int W, template <int> class Game>
int MovePicker<W, Game>::capture_score(Move move) const {
    const Position<W>& position = game_.position();
    int score = game_.gain(move) * 8 - game_.evaluation().value(position.at(move.from));
    if (game_.captures_critical(move)) score += CRITICAL_CAPTURE;
    if constexpr (Game<W>::CAPTURE_HISTORY)
        score += History<W>::read(history_.of_capture(move, position.at(move.to))) / 8;
    return score;
}

template <int W, template <int> class Game>
void MovePicker<W, Game>::score_quiets() {
    for (Scored& quiet : stages_[QUIETS]) {
        const size_t at = quiet.at();
        const int trail = moves[at].trail ? 1 : 0;  // moves of a single leg come first
        quiet = Scored(history_.quiet_score(moves[at], after_) - trail, at);
    }
}

template <int W, template <int> class Game>
typename MovePicker<W, Game>::Scored MovePicker<W, Game>::pick() {
    auto& stage = stages_[stage_];
    const auto first = stage.begin() + std::ptrdiff_t(picked_);
    if (picked_ < SORTED_LATE)
        std::iter_swap(first, std::min_element(first, stage.end()));
    else if (picked_ == SORTED_LATE)
        std::sort(first, stage.end());
    return stage[picked_++];
}

template <int W, template <int> class Game>
std::optional<typename MovePicker<W, Game>::Picked> MovePicker<W, Game>::next(const Claims* claims) {
    for (; stage_ != DONE; ++stage_, picked_ = 0) {
        if (stage_ == QUIETS && picked_ == 0) score_quiets();
        while (picked_ < stages_[stage_].size()) {
            const Scored scored = pick();
            const Move move = moves[scored.at()];
            if (claims && stage_ != CLAIMED && claims->has(Claims::name(game_.position().key(), move)))
                stages_[CLAIMED].push_back(scored);
            else if (losing_last_ && stage_ == CAPTURES && !game_.wins_exchange(move, 0))
                stages_[LOSING_CAPTURES].push_back(scored);
            else
                return Picked{move, stage_ == HASH_MOVE, is_quiet(move)};
        }
    }
    return std::nullopt;
}

template <int W, template <int> class Game>
int MovePicker<W, Game>::skip_quiets() {
    size_t skipped = 0;
    for (uint8_t stage = std::max<uint8_t>(stage_, KILLERS); stage <= QUIETS; ++stage) {
        auto& left = stages_[stage];
        const auto first = left.begin() + std::ptrdiff_t(stage == stage_ ? picked_ : 0);
        const auto gone = std::remove_if(first, left.end(),
                                         [&](const Scored& one) { return !game_.gives_direct_check(moves[one.at()]); });
        skipped += size_t(left.end() - gone);
        left.erase(gone, left.end());
    }
    return int(skipped);
}

}  // namespace komadai
