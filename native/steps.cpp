// Trees of steps. Where each move is one landing or drop, its path is read off the move. Compound moves are walked step
// by step on the live state: of paths that reach the same state the first has the smallest move string, since
// steps are tried in the order of their names, shots before landings.
#include "steps.hpp"

#include <algorithm>
#include <unordered_map>

#include "compound_scratch.hpp"

namespace komadai {

namespace {

using Steps = std::vector<Step>;

// Sorts the steps of a node as they are shown: squares, shots, drops and promotions from high worth to low, and
// staying.
template <int W>
void in_order(const Rules<W>& rules, Side mover, Steps& steps) {
    auto rank = [&](const Step& step) -> std::pair<int, int> {
        switch (step.type) {
            case StepType::DROP: return {2, -rules.hand_value[size_t(step.kind)]};
            case StepType::PROMOTE: return {2, -rules.info[piece_of(step.kind, mover)].value};
            case StepType::STOP: return {3, 0};
            case StepType::SHOOT: return {1, step.at};
            default: return {0, rules.is_compound ? step.at : 0};
        }
    };
    std::ranges::stable_sort(steps, {}, rank);
}

// Numbers the nodes that can be reached from the root, which is 0, and puts the steps of each together.
void publish(const std::vector<Steps>& nodes, int root, StepTree& tree) {
    std::vector<int> number(nodes.size(), -1), order{root};
    number[size_t(root)] = 0;
    for (size_t i = 0; i < order.size(); ++i) {
        tree.first.push_back(int(tree.steps.size()));
        for (Step step : nodes[size_t(order[i])]) {
            if (step.to >= 0) {
                int& known = number[size_t(step.to)];
                if (known < 0) {
                    known = int(order.size());
                    order.push_back(step.to);
                }
                step.to = known;
            }
            tree.steps.push_back(step);
        }
    }
    tree.first.push_back(int(tree.steps.size()));
}

template <int W>
Step landing(const Rules<W>& rules, Piece there, Point point) {
    if (there == EMPTY) return {StepType::GO, point};
    return {StepType::CAPTURE, point, -1, kind_of(there), rules.info[there].captured};
}

// --- Moves of one landing or drop ---

template <int W>
class PlainTree {
 public:
    explicit PlainTree(const Position<W>& position) : position_(position), rules_(position.rules()) {}

    StepTree make(const MoveNames& names) {
        Position<W> tried = position_;
        tried.legal_moves(tree_.moves);
        std::vector<std::pair<std::string, Move>> named;
        for (Move move : tree_.moves) named.emplace_back(names.text(move), move);
        std::ranges::sort(named, {}, &std::pair<std::string, Move>::first);
        for (size_t i = 0; i < named.size(); ++i) tree_.moves[i] = named[i].second;
        add_moves();
        for (size_t i = 0; i < tree_.moves.size() && !rules_.end_rules.empty(); ++i)
            tried.losses(tree_.moves[i]).each([&](Point point) {
                tree_.effects.push_back({int(i), Effect::LOSES, point});
                return false;
            });
        for (Steps& steps : nodes_) in_order(rules_, position_.side_to_move(), steps);
        for (Move move : tree_.moves) tree_.leaves.push_back({kind_of(move.piece), 0});
        tree_.presences.emplace_back();
        publish(nodes_, 0, tree_);
        return std::move(tree_);
    }
    StepTree of_piece(MoveList moves) {
        tree_.moves = std::move(moves);
        std::ranges::sort(tree_.moves, {}, [](const Move& move) { return std::pair(move.to, move.code()); });
        nodes_.reserve(tree_.moves.size() + 2);
        add_moves();
        publish(nodes_, nodes_[0].front().to, tree_);
        return std::move(tree_);
    }

 private:
    // Moves with the same origin and target follow each other.
    void add_moves() {
        nodes_.emplace_back();
        for (size_t i = 0; i < tree_.moves.size(); ++i) {
            const Move move = tree_.moves[i];
            move.is_drop() ? add_drop(move, int(i)) : add_landing(move, int(i), has_twin(i));
        }
    }
    // True if another move has the same origin and target.
    [[nodiscard]] bool has_twin(size_t i) const {
        auto same = [&](size_t other) {
            const Move &a = tree_.moves[i], &b = tree_.moves[other];
            return !b.is_drop() && a.from == b.from && a.to == b.to;
        };
        return (i > 0 && same(i - 1)) || (i + 1 < tree_.moves.size() && same(i + 1));
    }
    // The node that the step leads to from another; the latest steps are looked at first, as moves are in order.
    int child(int node, Step step) {
        const auto& steps = nodes_[size_t(node)];
        const auto known = std::find_if(steps.rbegin(), steps.rend(), [&](const Step& other) {
            return other.type == step.type && other.at == step.at && other.kind == step.kind;
        });
        if (known != steps.rend()) return known->to;
        step.to = int(nodes_.size());
        nodes_[size_t(node)].push_back(step);
        nodes_.emplace_back();
        return step.to;
    }
    void finish(int node, Step step, int leaf) {
        step.to = ~leaf;
        nodes_[size_t(node)].push_back(step);
    }
    void add_drop(Move move, int leaf) {
        const auto& faces = rules_.drops[move.from];
        int node = child(0, {StepType::DROP, -1, move.from});
        if (faces.size() > 1) node = child(node, {StepType::FACE, -1, kind_of(move.piece)});
        finish(node, {StepType::GO, rules_.point_of[move.to]}, leaf);
    }
    void add_landing(Move move, int leaf, bool has_choice) {
        const int node = child(0, {StepType::SELECT, rules_.point_of[move.from]});
        const Step arrive = landing(rules_, position_.at(move.to), rules_.point_of[move.to]);
        if (!has_choice) return finish(node, arrive, leaf);
        const bool stays = position_.at(move.from) == move.piece;
        finish(child(node, arrive), {stays ? StepType::STOP : StepType::PROMOTE, -1, kind_of(move.piece)}, leaf);
    }

    const Position<W>& position_;
    const Rules<W>& rules_;
    StepTree tree_;
    std::vector<Steps> nodes_;
};

}  // namespace

// --- Compound moves ---

template <int W>
class CompoundTree {
 public:
    explicit CompoundTree(State<W>& state)
        : state_(state),
          undone_(state),
          rules_(*state_.rules),
          moves_(state_),
          mover_(state_.side_to_move),
          royals_(royals_of(state_, mover_)),
          mark_(state_.journal.size()) {}

    StepTree make(const MoveNames& names) {
        with_effects_ = true;
        start_ = state_.board;
        for (const auto& has : rules_.has)
            for (const auto& pieces : has) named_.insert(named_.end(), pieces.begin(), pieces.end());
        std::ranges::sort(named_);
        named_.erase(std::unique(named_.begin(), named_.end()), named_.end());
        tree_.presences.push_back(present());
        Steps root;
        if (end_on_board(state_).end == End::NONE) {
            moves_.begin_turn();
            (state_.occupied[mover_] & ~moves_.start_.immobilized).each([&](Point point) {
                const int node = moves_of(rules_.cell_of[point]);
                if (node != NOTHING) root.push_back({StepType::SELECT, point, -1, -1, -1, node});
                return false;
            });
            add_drops(names, root);
            in_order(rules_, mover_, root);
        }
        nodes_.push_back(std::move(root));
        std::ranges::stable_sort(tree_.effects, {},
                                 [](const LeafEffect& e) { return std::tuple(e.leaf, int(e.effect), e.point); });
        publish(nodes_, int(nodes_.size()) - 1, tree_);
        return std::move(tree_);
    }
    StepTree of_piece(Cell from) {
        tree_.presences.push_back(present());
        moves_.begin_turn();
        publish(nodes_, moves_of(from), tree_);
        return std::move(tree_);
    }

 private:
    using Onward = typename CompoundMoves<W>::Onward;
    static constexpr int NOTHING = 1 << 30;  // instead of a node, where no move ends
    static constexpr int ITSELF = -1;

    // A piece on its way: the same steps may have been taken by several walks.
    struct Spot {
        CompoundState move;
        std::vector<Onward> ways;  // each with what is left of its walk; one without a walk before the first step
        Bits<W> taken;
    };
    // A result of the moves of one piece, and the first of the strings that lead there.
    struct Result {
        uint64_t order;
        Move move;
    };
    // A way in which the move may end at a spot.
    struct Ending {
        uint64_t key;
        Piece shown;  // what the mover becomes; if rules remove it or turn it back then, what it had become
        uint16_t flags;
        int present;
        std::vector<LeafEffect> effects;  // that the mover itself turns over has the leaf ITSELF
        std::vector<LeafEffect> undone;   // that it is turned back, where a step shows that it turns over
    };

    int moves_of(Cell from) {
        known_.clear();
        results_.clear();
        const size_t first_leaf = leaf_keys_.size();
        const Piece piece = state_.board[from];
        const int node = explore({{piece, from, from, piece}, {{false, from, nullptr, 0, {}}}, {}});
        for (size_t leaf = first_leaf; leaf < leaf_keys_.size(); ++leaf) {
            const Move move = results_.at(leaf_keys_[leaf]).move;
            tree_.moves.push_back(move);
            tree_.leaves[leaf].kind = move.piece == EMPTY ? -1 : kind_of(move.piece);
        }
        return node;
    }

    // Appends the steps to all drops, from the root: the hand slot, the face where there is a choice, and the point.
    void add_drops(const MoveNames& names, Steps& root) {
        MoveList drops;
        moves_.drops(drops);
        std::ranges::sort(drops, {}, [&](const Move& drop) { return names.text(drop); });
        for (int slot = 0; slot < rules_.hands(); ++slot) {
            std::vector<int> kinds;  // in the order of their drops
            for (const Move& drop : drops)
                if (drop.from == slot && std::ranges::find(kinds, kind_of(drop.piece)) == kinds.end())
                    kinds.push_back(kind_of(drop.piece));
            Steps faces;
            for (const int kind : kinds) {
                Steps points;
                for (const Move& drop : drops)
                    if (drop.from == slot && kind_of(drop.piece) == kind)
                        points.push_back({StepType::GO, rules_.point_of[drop.to], -1, -1, -1, leaf_of_drop(drop)});
                in_order(rules_, mover_, points);
                nodes_.push_back(std::move(points));
                faces.push_back({StepType::FACE, -1, kind, -1, -1, int(nodes_.size()) - 1});
            }
            if (faces.empty()) continue;
            Step step{StepType::DROP, -1, slot, -1, -1, faces.front().to};
            if (rules_.drops[size_t(slot)].size() > 1) {
                nodes_.push_back(std::move(faces));
                step.to = int(nodes_.size()) - 1;
            }
            root.push_back(step);
        }
    }
    int leaf_of_drop(Move drop) {
        moves_.play(drop);
        CompoundState dropped{drop.piece, drop.to, drop.to, drop.piece};
        const std::vector<LeafEffect> effects = effects_of({dropped, {}, {}});
        const Piece there = state_.board[drop.to];
        const int number = ~leaf({state_.key, there, 0, presence(), effects, {}}, false);
        tree_.leaves.back().kind = there == EMPTY ? -1 : kind_of(there);
        tree_.moves.push_back(drop);
        state_.rewind(mark_);
        return ~number;
    }

    // The node of a spot, ~leaf, or NOTHING.
    int explore(const Spot& spot) {
        const std::vector<Ending> endings = endings_of(spot);
        Steps steps;
        if (spot.move.now != EMPTY) {
            std::vector<Onward> ways;
            for (const Onward& way : spot.ways) moves_.go_on(spot.move, way.walk, way.vector, way.seen, ways);
            // In the order of their strings: a shot is written with a star, which comes before all digits.
            std::ranges::stable_sort(ways, {}, [&](const Onward& way) {
                return std::pair(!way.shot, rules_.name_order[rules_.point_of[way.to]]);
            });
            for (auto at = ways.begin(); at != ways.end();) {
                const auto next = std::find_if(
                    at, ways.end(), [&](const Onward& way) { return way.shot != at->shot || way.to != at->to; });
                add_step(spot, std::vector<Onward>(at, next), steps);
                at = next;
            }
        }
        if (steps.empty() && endings.empty()) return NOTHING;
        if (steps.empty() && endings.size() == 1) return leaf(endings.front(), false);
        for (const Ending& ending : endings) {
            const bool chosen = endings.size() > 1 && ending.shown != spot.move.now;
            const int kind = ending.shown == EMPTY ? -1 : kind_of(ending.shown);
            steps.push_back({chosen ? StepType::PROMOTE : StepType::STOP, -1, kind, -1, -1, leaf(ending, chosen)});
        }
        in_order(rules_, mover_, steps);
        nodes_.push_back(std::move(steps));
        return int(nodes_.size()) - 1;
    }

    void add_step(const Spot& before, std::vector<Onward> ways, Steps& steps) {
        const Cell to = ways.front().to;
        const Point point = rules_.point_of[to];
        const Piece there = state_.board[to];
        Step step = ways.front().shot ? Step{StepType::SHOOT, point, -1, kind_of(there), rules_.info[there].captured}
                                      : landing(rules_, there, point);
        const size_t mark = state_.journal.size();
        Spot spot{before.move, std::move(ways), before.taken};
        if (there != EMPTY) spot.taken.set(point);
        spot.ways.front().shot ? moves_.shoot(spot.move, to) : moves_.land(spot.move, to);
        const uint64_t key = key_of(spot);
        if (const auto known = known_.find(key); known != known_.end())
            step.to = known->second;
        else
            step.to = known_[key] = explore(spot);
        state_.rewind(mark);
        if (step.to != NOTHING) steps.push_back(step);
    }

    // What the rest of the turn depends on, and the pieces taken. Ways that leave the same rest are dropped.
    uint64_t key_of(Spot& spot) const {
        const CompoundState& move = spot.move;
        uint64_t captured = 0, ways = 0;
        for (auto taken = move.taken.begin(), end = taken + move.taken_count; taken != end; ++taken)
            if (std::find(move.taken.begin(), taken, *taken) == taken) captured += mix(*taken);
        std::vector<uint64_t> rests;
        std::erase_if(spot.ways, [&](const Onward& way) {
            const bool turning =
                way.walk && move.landings < way.walk->most && way.walk->next[size_t(way.vector)] != way.walk->first;
            uint64_t rest = mix(uint64_t(way.walk ? way.walk - rules_.info[move.mover].walks.data() + 1 : 0) << 8 |
                                uint64_t(turning ? way.vector + 1 : 0));
            for (uint64_t word : way.seen.word) rest = mix(rest ^ word);
            if (std::ranges::find(rests, rest) != rests.end()) return true;
            rests.push_back(rest);
            ways += rest;
            return false;
        });
        uint64_t key =
            mix(state_.key ^ mix(uint64_t(move.items_count) << 44 | uint64_t(move.landings) << 40 |
                                 uint64_t(move.shots) << 36 | uint64_t(move.at) << 16 | uint64_t(move.captured) << 2 |
                                 uint64_t(move.on_last_rank) << 1 | uint64_t(move.in_zone)));
        key = mix(key ^ captured) ^ ways;
        for (uint64_t word : spot.taken.word) key = mix(key ^ word);
        return key;
    }

    // --- Ending ---

    std::vector<Ending> endings_of(const Spot& spot) {
        std::vector<Ending> endings;
        const bool may_end =
            std::ranges::any_of(spot.ways, [&](const Onward& way) { return moves_.may_end(spot.move, way.walk); });
        if (!may_end || (spot.move.judged && moves_.forbidden(spot.move))) return endings;
        const auto [trail, order] = moves_.written(spot.move);
        auto add = [&](Piece into, uint16_t flags) {
            if (!moves_.may_stand(spot.move, into == EMPTY ? spot.move.mover : into)) return;
            const size_t mark = state_.journal.size();
            CompoundState ended = spot.move;
            if (into != EMPTY) moves_.become(ended, into);
            moves_.end_turn();
            ended.now = state_.board[ended.at];
            if (!is_safe()) return state_.rewind(mark);
            const Result result{order << 1 | (flags != 0), {ended.from, ended.at, ended.now, flags, trail}};
            Result& best = results_.try_emplace(state_.key, result).first->second;
            if (result.order < best.order) best = result;
            // A piece that would be turned back at once, with no other effect, does not turn over; that ending has no
            // suffix.
            if (std::ranges::none_of(endings, [&](const Ending& other) { return other.key == state_.key; })) {
                const bool undone = ended.now == spot.move.now && into != EMPTY && into != spot.move.now;
                const Piece shown = ended.now == EMPTY || undone ? into : ended.now;
                endings.push_back({state_.key, shown, flags, presence(), effects_of(spot), {}});
                if (undone && with_effects_)
                    endings.back().undone = {{0, Effect::TURNS, rules_.point_of[ended.at], kind_of(ended.now)}};
            }
            state_.rewind(mark);
        };
        if (spot.move.now == EMPTY) {
            add(EMPTY, 0);
        } else if (moves_.promotes_by_force(spot.move)) {
            add(rules_.info[spot.move.now].captures_promote_to, 0);
        } else {
            std::vector<Change> changes = moves_.results(spot.move);
            std::ranges::stable_sort(changes, {}, &Change::flags);
            for (const Change& change : changes) add(change.piece, change.flags);
        }
        return endings;
    }

    // Whether the turn that has ended on the live state leaves the royal pieces of the mover on the board and safe.
    [[nodiscard]] bool is_safe() {
        if (!rules_.has_royal) return true;
        const auto [known, fresh] = safe_.try_emplace(state_.key, false);
        if (fresh)
            known->second = royals_of(state_, mover_) >= royals_ && !CompoundMoves<W>(state_).royal_attacked(mover_);
        return known->second;
    }

    int leaf(const Ending& ending, bool chosen) {
        const int number = int(leaf_keys_.size());
        leaf_keys_.push_back(ending.key);
        tree_.leaves.push_back({-1, ending.present});
        auto add = [&](LeafEffect effect) {
            effect.leaf = number;
            tree_.effects.push_back(effect);
        };
        for (const LeafEffect& effect : ending.effects)
            // The step that chooses shows already that the mover turns over.
            if (!chosen || effect.leaf != ITSELF) add(effect);
        if (chosen) std::ranges::for_each(ending.undone, add);
        return ~number;
    }

    // The effects of the move that has ended on the live state.
    std::vector<LeafEffect> effects_of(const Spot& spot) {
        const CompoundState& move = spot.move;
        std::vector<LeafEffect> found;
        if (!with_effects_) return found;
        Bits<W> looked_at = spot.taken;
        for (Cell cell : {move.from, move.at}) looked_at.set(rules_.point_of[cell]);
        for (size_t i = mark_; i < state_.journal.size(); ++i) {
            const auto& entry = state_.journal[i];
            if (entry.place & (State<W>::IN_HAND | State<W>::SHIFT | State<W>::MEMORY)) continue;
            const Point point = rules_.point_of[entry.place];
            const Piece before = start_[entry.place], now = state_.board[entry.place];
            if (looked_at.test(point) || before == EMPTY || before == now) continue;
            looked_at.set(point);
            if (now == EMPTY)
                found.push_back({0, side_of(before) == mover_ ? Effect::LOSES : Effect::BURNS, point});
            else if (side_of(now) == side_of(before))
                found.push_back({0, Effect::TURNS, point, kind_of(now)});
        }
        const Piece stands = state_.board[move.at];
        const Point at = rules_.point_of[move.at];
        if (stands == EMPTY)
            found.push_back({0, Effect::LOSES, at});
        else if (stands != move.mover)
            found.push_back({ITSELF, Effect::TURNS, at, kind_of(stands)});
        spot.taken.each([&](Point point) { return found.push_back({0, Effect::CAPTURES, point}), false; });
        return found;
    }

    // The pieces on the board of those that rules name.
    [[nodiscard]] std::vector<int> present() const {
        std::vector<int> found;
        for (Piece piece : named_)
            if (state_.piece_count[piece] > 0) found.push_back(piece);
        return found;
    }
    int presence() {
        const std::vector<int> now = present();
        const auto known = std::ranges::find(tree_.presences, now);
        if (known == tree_.presences.end()) return tree_.presences.push_back(now), int(tree_.presences.size()) - 1;
        return int(known - tree_.presences.begin());
    }

    State<W>& state_;
    const Undone<W> undone_;
    const Rules<W>& rules_;
    CompoundMoves<W> moves_;
    Side mover_;
    int royals_;   // how many the mover has
    size_t mark_;  // size of the journal before the turn
    bool with_effects_ = false;
    std::vector<Piece> start_, named_;
    StepTree tree_;
    std::vector<Steps> nodes_;
    std::unordered_map<uint64_t, int> known_;       // the nodes of the states of one piece
    std::unordered_map<uint64_t, Result> results_;  // by the key of the position
    std::unordered_map<uint64_t, bool> safe_;       // likewise
    std::vector<uint64_t> leaf_keys_;               // likewise, by leaf
};

template <int W>
StepTree step_tree(const Position<W>& position, const MoveNames& names) {
    if (!position.rules().is_compound) return PlainTree<W>(position).make(names);
    Position<W> tried = position;
    return CompoundTree<W>(tried.live_state()).make(names);
}

template <int W>
StepTree steps_of_piece(Position<W>& position, Move first) {
    const auto& info = position.rules().info[first.is_drop() ? EMPTY : position.at(first.from)];
    const bool whole = position.rules().is_compound && !(info.single && info.shots.empty());
    if (whole) return CompoundTree<W>(position.live_state()).of_piece(first.from);
    MoveList moves;
    position.legal_moves_of(first.from, first.is_drop(), moves);
    return PlainTree<W>(position).of_piece(std::move(moves));
}

#define KOMADAI_INSTANTIATE(W)                                         \
    template StepTree step_tree(const Position<W>&, const MoveNames&); \
    template StepTree steps_of_piece(Position<W>&, Move);
KOMADAI_AT_EACH_SIZE(KOMADAI_INSTANTIATE)
#undef KOMADAI_INSTANTIATE

}  // namespace komadai
