#include "relative_solve.hpp"

namespace komadai {

void RelativeSolver::expand_part(size_t part) {
    uint64_t positions = 0, all = 0, lost = 0;
    int most = 0;
    index_->each(Slot(part) * PART, part_size(part), [&](Slot slot, const RelativeIndex::Scene& scene) {
        if (!index_->is_sound(slot, scene)) return;
        int moves = 0;
        index_->moves(scene, [&](const RelativeIndex::Scene&) { ++moves; });
        if (moves > TOP - 4) throw std::length_error("a position has too many moves");
        ++positions;
        all += uint64_t(moves);
        most = std::max(most, moves);
        if (!moves) ++lost;
        states_[slot] = State(moves ? TOP - moves : 1);
    });
    if (lost) due(part, 1);
    positions_ += positions;
    moves_ += all;
    known_ += lost;
    for (int seen = most_moves_; seen < most && !most_moves_.compare_exchange_weak(seen, most);) {
    }
}

void RelativeSolver::spread_part(size_t part, Value now) {
    const auto next = Value(now + 1);
    std::vector<std::pair<Slot, int>> before;
    for (Slot slot = Slot(part) * PART, stop = std::min(slot + part_size(part), index_->main()); slot < stop; ++slot) {
        if (state_of(slot) != now) continue;
        before.clear();
        index_->each_before(slot, [&](Slot one, int moves) {
            __builtin_prefetch(&states_[one], 1);
            before.emplace_back(one, moves);
        });
        for (const auto& [one, moves] : before) is_loss(now) ? decide(one, next) : drop_moves(one, moves, next);
    }
}

// Calls visit(slot) for the position after each move from one with a royal piece in hand.
template <class Visit>
void RelativeSolver::each_after_opening(Slot slot, Visit visit) const {
    auto position = index_->blank();
    MoveList moves;
    index_->set_up(slot, position);
    position.legal_moves(moves);
    for (Move move : moves) {
        position.push(move);
        visit(index_->find(position));
        position.pop();
    }
}

// The positions with a royal piece in hand, of which the last are those after the others.
void RelativeSolver::finish() {
    for (Slot slot = size_; slot-- > index_->main();) {
        BestValue best;
        each_after_opening(slot, [&](Slot after) { best.add(value_of(after)); });
        if (best.value() >= limit()) {  // as a state it would count moves
            spoilt_ = true;
            throw_too_long();
        }
        states_[slot] = State(best.value() ? best.value() : TOP - 1);
    }
}

void RelativeSolver::load_stage(const std::string& bytes) {
    most_moves_ =
        int(Waves::load_stage(bytes, [](uint64_t most, uint64_t waves) { return most <= TOP && waves <= TOP; }));
}

void RelativeSolver::mark_reachable(int threads, const std::function<void()>& poll) {
    auto begin = [&] {
        return [this](Slot slot, const auto& reach) {
            if (slot < index_->main())
                index_->moves(index_->scene(slot),
                              [&](const RelativeIndex::Scene& after) { reach(index_->locate(after).slot); });
            else
                each_after_opening(slot, reach);
        };
    };
    Waves::mark_reachable(threads, poll, begin);
}

AuditReport RelativeSolver::recheck(int threads, const std::function<void(size_t)>& done,
                                    const std::function<void()>& poll) const {
    require_solved();
    auto check = [&](size_t part) {
        AuditReport found;
        std::vector<Slot> after;
        index_->each(Slot(part) * PART, part_size(part), [&](Slot slot, const RelativeIndex::Scene& scene) {
            if (!index_->is_sound(slot, scene)) {
                if (states_[slot]) found.wrong.push_back(slot);
                return;
            }
            after.clear();
            index_->moves(scene, [&](const RelativeIndex::Scene& one) {
                after.push_back(index_->locate(one).slot);
                __builtin_prefetch(&states_[after.back()]);
            });
            BestValue best;
            for (const Slot one : after) best.add(value_of(one));
            ++found.positions;
            found.moves += after.size();
            if (!states_[slot] || best.value() != value_of(slot)) found.wrong.push_back(slot);
        });
        return found;
    };
    return sum_parallel<AuditReport>(threads, parts(), check, done, poll);
}

namespace {

// Holds the moves and un-moves of positions against the generic moves.
class MovesCheck {
 public:
    explicit MovesCheck(const RelativeIndex& index) : index_(index), position_(index.blank()) {}

    // False if the number is no position.
    bool add(Slot slot) {
        if (!index_.counts(slot, position_)) return false;
        const auto scene = index_.scene(slot);
        const Slots generic = after(slot), parents = before(slot);
        ++report.positions;
        report.stranded += index_.has_stranded(scene);
        report.moves += generic.size();
        if (!moves_agree(slot, scene, generic) || !unmoves_agree(slot, parents)) report.wrong.push_back(slot);
        return true;
    }

    MovesReport report;

 private:
    using Slots = std::vector<Slot>;

    // The numbers after the moves of a position, in order.
    Slots after(Slot slot) {
        Slots found;
        index_.set_up(slot, position_);
        moves_.clear();
        position_.legal_moves_generic(moves_);
        for (Move move : moves_) {
            position_.push(move);
            found.push_back(index_.find(position_));
            position_.pop();
        }
        std::ranges::sort(found);
        return found;
    }
    [[nodiscard]] Slots before(Slot slot) const {
        Slots found;
        index_.each_before(slot, [&](Slot one, int times) { found.insert(found.end(), size_t(times), one); });
        std::ranges::sort(found);
        return found;
    }
    [[nodiscard]] static auto times(const Slots& slots, Slot slot) {
        const auto [first, last] = std::ranges::equal_range(slots, slot);
        return last - first;
    }
    bool moves_agree(Slot slot, const RelativeIndex::Scene& scene, const Slots& generic) {
        Slots own;
        index_.moves(scene, [&](const RelativeIndex::Scene& one) { own.push_back(index_.locate(one).slot); });
        std::ranges::sort(own);
        if (own != generic) return false;
        for (size_t i = 0; i < generic.size(); ++i) {
            if (i > 0 && generic[i] == generic[i - 1]) continue;
            if (generic[i] >= index_.main() || !index_.counts(generic[i], position_) ||
                times(before(generic[i]), slot) != times(generic, generic[i]))
                return false;
        }
        return true;
    }
    bool unmoves_agree(Slot slot, const Slots& parents) {
        for (size_t i = 0; i < parents.size(); ++i) {
            if ((i > 0 && parents[i] == parents[i - 1]) || !index_.counts(parents[i], position_)) continue;
            ++report.unmoves;
            if (times(after(parents[i]), slot) != times(parents, parents[i])) return false;
        }
        return true;
    }

    const RelativeIndex& index_;
    RelativeIndex::TablePosition position_;
    MoveList moves_;
};

}  // namespace

MovesReport check_moves(const RelativeIndex& index, uint64_t count, uint64_t seed, int threads,
                        const std::function<void(size_t)>& done, const std::function<void()>& poll) {
    constexpr uint64_t each = 1000;
    auto check_some = [&](size_t task) {
        MovesCheck check(index);
        uint64_t tried = 0;
        for (uint64_t left = std::min(each, count - task * each); left > 0;)
            left -= check.add(Slot(mix(seed ^ mix(uint64_t(task) << 32 | tried++)) % index.main()));
        return check.report;
    };
    return sum_parallel<MovesReport>(threads, (count + each - 1) / each, check_some, done, poll);
}

}  // namespace komadai
