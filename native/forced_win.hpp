// Wins within a few turns of the attacker, exactly: every turn of both sides is tried, not only checks. For games of
// few moves, and for those without royal pieces, in which a side loses by extinction.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

#include "goals.hpp"

namespace komadai {

struct ForcedWinReport {
    bool known = true;  // false: the nodes ran out
    int turns = 0;      // of the attacker, until the win; 0: not within those asked for
    MoveList firsts;    // the turns that win so soon; one of them unless all are asked for
    MoveList line;      // to the end; where the defender is to move and escapes, his turn
    uint64_t nodes = 0;
};

template <int W>
class ForcedWinSearch {
 public:
    // `poll` is called now and then; it may throw to abort.
    ForcedWinSearch(const Position<W>& position, uint64_t nodes, std::function<void()> poll);

    // Whether the side to move wins within so many of its turns, and with which first one if `every` is set.
    [[nodiscard]] ForcedWinReport attack(int turns, bool every);
    // Whether the side to move escapes from so many turns of its opponent. Of the turns that do not, the one in the
    // line holds out longest, and leaves the attacker the fewest wins.
    [[nodiscard]] ForcedWinReport defend(int turns);

 private:
    struct Stopped {};

    ForcedWinReport guarded(const std::function<void(ForcedWinReport&)>& search);
    int shortest(int turns, bool every, MoveList& firsts);
    void follow(Move first, int turns, MoveList& line);
    void answer(ForcedWinReport& report, int turns);
    [[nodiscard]] bool by_extinction() const { return position_.rules().is_compound && !position_.rules().has_royal; }
    [[nodiscard]] std::optional<int> winner();
    [[nodiscard]] bool wins_at_once();
    [[nodiscard]] bool wins(int turns);
    [[nodiscard]] bool loses(int turns);
    void visit();
    // The legal turns, likely ones first, in a list that lasts until the depth is reached again.
    MoveList& turns_of(size_t depth);

    Position<W> position_;
    Goals<W> goals_;
    uint64_t most_nodes_, nodes_ = 0;
    std::function<void()> poll_;
    size_t root_;
    std::deque<MoveList> lists_;  // a deque keeps references valid
    std::vector<Move> best_;      // the turn that decided last, by depth
};

KOMADAI_EXTERN_EACH_SIZE(class ForcedWinSearch)

}  // namespace komadai
