#include "encoding.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace komadai {
namespace {

// How many vectors there are between two points.
template <int W>
[[nodiscard]] size_t differences(const Rules<W>& r) {
    return size_t((2 * r.height - 1) * (2 * r.width - 1));
}

constexpr int MOST_HISTORY = 16, MOST_STEPS = 255;

}  // namespace

template <int W>
Encoding<W>::Encoding(std::shared_ptr<const Rules<W>> rules, EncodingTables tables)
    : rules_(std::move(rules)), tables_(std::move(tables)), kinds_(rules_->info.size() / 4) {
    block_ = 2 * kinds_ + 2 * size_t(rules_->hands()) + size_t(tables_.repetitions);
    planes_ = block_ * size_t(tables_.history) + 2 + size_t(tables_.remembers);
    if (tables_.steps) {
        planes_ += 2 + size_t(rules_->hands()) + (rules_->is_compound ? 2 : 0);
        planes_ += size_t(std::ranges::count_if(tables_.shown, [](int plane) { return plane >= 0; }));
    }
    require_sound();
    find_views();
    if (!tables_.steps) find_ways();
}

// Throws if a number of the tables leads out of what there is. Whether they mean what they should, only their maker
// knows.
template <int W>
void Encoding<W>::require_sound() const {
    const EncodingTables& t = tables_;
    const auto require = [](bool holds) {
        if (!holds) throw std::invalid_argument("these are no tables of an encoding of these rules");
    };
    const auto in = [](int64_t number, int64_t least, int64_t end) { return number >= least && number < end; };
    require(in(t.history, 1, MOST_HISTORY + 1) && in(t.repetitions, 0, MOST_HISTORY + 1) && t.actions > 0);
    require(t.choices.size() == kinds_ && t.drop_planes.size() == kinds_ && t.shown.size() == kinds_);
    require(in(t.declare, -1, t.actions));
    for (const int plane : t.shown) require(in(plane, -1, int64_t(kinds_)));
    const int64_t each = rules_->points, last = t.actions;
    if (t.steps) {
        require(in(t.go, each, last - each + 1) && in(t.shoot, -1, last + 1));
        require(in(t.drop, -1, last - rules_->hands() + 1) && in(t.stop, -1, last + 1));
        for (const int choice : t.choices) require(in(choice, -1, last));
        return;
    }
    require(t.legs.size() == kinds_ && t.plane_of.size() == t.ways.size() && !t.ways.empty());
    require(t.action_planes >= 0 && int64_t(t.action_planes) * each + (t.declare >= 0) == last);
    for (const auto& [right, ahead, hops] : t.ways)
        require(in(right, -MOST_STEPS, MOST_STEPS + 1) && in(ahead, -MOST_STEPS, MOST_STEPS + 1) && (right || ahead));
    for (const auto& legs : t.legs)
        for (const auto& [way, reach] : legs) require(in(way, 0, int64_t(t.ways.size())) && reach <= MOST_STEPS);
    const auto words = int64_t(t.plane_of[0].size());
    require(in(t.promotes, 0, words));
    for (const int choice : t.choices) require(in(choice, 0, words));
    std::vector<bool> meant(size_t(t.action_planes));
    const auto mean = [&](int plane) {
        require(in(plane, -1, t.action_planes));
        if (plane < 0) return;
        require(!meant[size_t(plane)]);  // a plane means one thing
        meant[size_t(plane)] = true;
    };
    for (const auto& planes : t.plane_of) {
        require(int64_t(planes.size()) == words);
        for (const int plane : planes) mean(plane);
    }
    for (const int plane : t.drop_planes) mean(plane);
}

// --- Cells ---

template <int W>
void Encoding<W>::find_views() {
    const Rules<W>& r = *rules_;
    const bool edges = r.has_edges();
    const int w = r.width, h = r.height, views = edges ? 1 : r.points;
    views_.resize(2 * size_t(views) * cells());
    for (Side side : {BLACK, WHITE})
        for (int view = 0; view < views; ++view)
            for (int point = 0; point < r.points; ++point) {
                int x = point % w, y = point / w;
                if (!edges) {
                    x = (x - view % w + w + w / 2) % w;
                    y = (y - view / w + h + h / 2) % h;
                }
                const int cell = y * w + x;
                views_[size_t(side * views + view) * cells() + size_t(point)] =
                    uint16_t(side == BLACK ? cell : r.points - 1 - cell);
            }
    for (int point = 0; point < r.points; ++point) places_.push_back(uint16_t(point / w * (2 * w - 1) + point % w));
    middle_ = size_t((h - 1) * (2 * w - 1) + w - 1);
}

template <int W>
void Encoding<W>::find_ways() {
    const Rules<W>& r = *rules_;
    ways_.assign(kinds_ * differences(r), NO_WAY);
    for (size_t kind = 0; kind < tables_.legs.size(); ++kind)
        for (const auto& [way, reach] : tables_.legs[kind]) {
            const auto& [right, ahead, hops] = tables_.ways[size_t(way)];
            for (int steps = 1 + (hops != 0); steps <= reach; ++steps) {
                const int x = right * steps, y = -ahead * steps;
                if (std::abs(x) >= r.width || std::abs(y) >= r.height) break;
                uint16_t& known = ways_[kind * differences(r) + size_t(int(middle_) + y * (2 * r.width - 1) + x)];
                known = known == NO_WAY || known == way ? uint16_t(way) : SEVERAL;
            }
        }
    meant_.resize(size_t(tables_.action_planes));
    for (size_t way = 0; way < tables_.plane_of.size(); ++way)
        for (size_t choice = 0; choice < tables_.plane_of[way].size(); ++choice) {
            const int plane = tables_.plane_of[way][choice];
            lands_.push_back(plane * r.points);
            if (plane >= 0) meant_[size_t(plane)] = {int(way), int(choice)};
        }
    for (size_t kind = 0; kind < kinds_; ++kind)
        if (const int plane = tables_.drop_planes[kind]; plane >= 0) meant_[size_t(plane)] = {-1, int(kind)};
}

// --- Actions ---

// A step of a way, as a difference of cells.
template <int W>
int Encoding<W>::delta(int way, Side side) const {
    const Rules<W>& r = *rules_;
    const int row = r.height > 1 ? r.cell_of[size_t(r.width)] - r.cell_of[0] : 0;
    const auto& [right, ahead, hops] = tables_.ways[size_t(way)];
    return side == BLACK ? right - ahead * row : ahead * row - right;
}

// The first of the ways of the piece on `from` that lead to `to` past what stands between.
template <int W>
int Encoding<W>::way(const State<W>& s, Cell from, Cell to) const {
    const Piece piece = s.board[from];
    for (const auto& [way, reach] : tables_.legs[size_t(kind_of(piece))]) {
        const int step = delta(way, side_of(piece)), hops = tables_.ways[size_t(way)][2];
        int between = 0, steps = 1;
        for (Cell cell = Cell(from + step); steps <= reach && rules_->on_board[cell];
             ++steps, cell = Cell(cell + step)) {
            if (cell == to && between == hops) return way;
            between += s.board[cell] != EMPTY;
        }
    }
    throw std::logic_error("a legal move follows no way of its piece");
}

// The actions of moves that differ only in their target: what they have in common is found once.
template <int W>
class Encoding<W>::Landings {
 public:
    Landings(const Encoding& encoding, const State<W>& s, const Move& move)
        : encoding_(encoding), state_(s), from_(move.from), view_(encoding.view(s.royal, s.side_to_move)) {
        const EncodingTables& tables = encoding.tables_;
        const auto kind = size_t(kind_of(move.piece));
        if (move.is_drop()) {
            plane_ = size_t(tables.drop_planes[kind]) * encoding.cells();
            return;
        }
        ways_ = &encoding.ways_[size_t(kind_of(s.board[from_])) * differences(*encoding.rules_)];
        each_ = tables.plane_of[0].size();
        lands_ = &encoding.lands_[size_t(move.flags & PROMOTES  ? tables.promotes
                                         : move.flags & CHOOSES ? tables.choices[kind]
                                                                : 0)];
        sign_ = s.side_to_move == BLACK ? 1 : -1;
        origin_ = int(encoding.middle_) - sign_ * encoding.places_[encoding.rules_->point_of[from_]];
    }
    // The action of the move to that point.
    [[nodiscard]] size_t at(Point to) const {
        if (!ways_) return plane_ + view_[to];
        size_t way = ways_[origin_ + sign_ * encoding_.places_[to]];
        if (way >= SEVERAL) [[unlikely]]
            way = size_t(encoding_.way(state_, from_, encoding_.rules_->cell_of[to]));
        return size_t(lands_[way * each_]) + view_[to];
    }
    // Adds those of drops to a bit set where the board has edges, so that the view is the board or turned by half.
    void mark_drops(const Bits<W>& targets, std::vector<uint64_t>& marked) const {
        const auto seen = state_.side_to_move == BLACK ? targets : targets.reversed(encoding_.rules_->points);
        uint64_t* at = &marked[plane_ / 64];
        const size_t by = plane_ % 64;
        for (size_t i = 0; i < W; ++i) {
            if (!seen.word[i]) continue;
            at[i] |= seen.word[i] << by;
            if (const uint64_t over = seen.word[i] >> 1 >> (63 - by)) at[i + 1] |= over;
        }
    }

 private:
    const Encoding& encoding_;
    const State<W>& state_;
    const Cell from_;
    const uint16_t* view_;
    const uint16_t* ways_ = nullptr;  // none: drops
    const int* lands_ = nullptr;
    size_t plane_ = 0, each_ = 0;
    int sign_ = 1, origin_ = 0;
};

template <int W>
void Encoding<W>::flat(const State<W>& s, const MoveList& moves, ActionList& found) const {
    found.resize(moves.size());
    for (size_t i = 0; i < moves.size(); ++i)
        found[i] = ActionId(Landings(*this, s, moves[i]).at(rules_->point_of[moves[i].to]));
}

template <int W>
int Encoding<W>::mark_flat(Position<W>& position, std::vector<uint64_t>& legal) const {
    static thread_local std::vector<MovesTo<W>> groups;
    groups.clear();
    position.legal_moves(groups);
    int count = 0;
    for (const auto& [move, targets] : groups) {
        count += targets.count();
        const Landings landings(*this, position.state(), move);
        if (move.is_drop() && rules_->has_edges()) {
            landings.mark_drops(targets, legal);
            continue;
        }
        targets.each([&](Point point) {
            const size_t action = landings.at(point);
            legal[action / 64] |= uint64_t(1) << action % 64;
            return false;
        });
    }
    return count;
}

// The cell of the mailbox that the mover sees there.
template <int W>
Cell Encoding<W>::seen_at(const State<W>& s, size_t index) const {
    const Rules<W>& r = *rules_;
    const uint16_t* view = this->view(s.royal, s.side_to_move);
    if (r.has_edges()) return r.cell_of[s.side_to_move == BLACK ? index : cells() - 1 - index];
    return r.cell_of[size_t(std::find(view, view + cells(), index) - view)];
}

template <int W>
Move Encoding<W>::flat_move(const State<W>& s, ActionId action) const {
    const Rules<W>& r = *rules_;
    const Side us = s.side_to_move;
    const auto [way, what] = meant_[action / cells()];
    const Cell to = seen_at(s, action % cells());
    if (way < 0) {
        int slot = 0;
        while (s.hand[us][size_t(slot)] == 0 ||
               std::ranges::find(r.drops[size_t(slot)], what) == r.drops[size_t(slot)].end())
            ++slot;
        return {Cell(slot), to, piece_of(what, us), DROP};
    }
    const int step = delta(way, us);
    Cell from = Cell(to - step);
    for (int over = tables_.ways[size_t(way)][2]; s.board[from] == EMPTY || over > 0; from = Cell(from - step))
        over -= s.board[from] != EMPTY;
    const size_t move_class = r.move_class(s.board[from], r.point_of[from], r.point_of[to], s.board[to] != EMPTY);
    const auto& changes = r.info[s.board[from]].changes[move_class];
    const Change& change = *std::ranges::find_if(changes, [&, what = what](const Change& one) {
        return one.flags & PROMOTES  ? what == tables_.promotes
               : one.flags & CHOOSES ? what == tables_.choices[size_t(kind_of(one.piece))]
                                     : what == 0;
    });
    return {from, to, change.piece, change.flags};
}

template <int W>
Move Encoding<W>::beginning(const State<W>& s, ActionId action) const {
    if (action >= ActionId(tables_.drop)) return {Cell(action - ActionId(tables_.drop)), 0, EMPTY, DROP};
    return {seen_at(s, action), 0, EMPTY, 0};
}

template <int W>
ActionId Encoding<W>::action(const Step& step, const uint16_t* view) const {
    const ActionId found = meant_by(step, view);
    if (found >= ActionId(tables_.actions)) throw std::logic_error("a step is no action of its encoding");
    return found;
}

template <int W>
ActionId Encoding<W>::meant_by(const Step& step, const uint16_t* view) const {
    const auto cell = [&](int first) { return ActionId(first + view[step.at]); };
    switch (step.type) {
        case StepType::SELECT: return cell(0);
        case StepType::DROP: return ActionId(tables_.drop + step.kind);
        case StepType::GO:
        case StepType::CAPTURE: return cell(tables_.go);
        case StepType::SHOOT: return cell(tables_.shoot);
        case StepType::FACE:
        case StepType::PROMOTE: return ActionId(tables_.choices[size_t(step.kind)]);
        default: return ActionId(tables_.stop);
    }
}

// --- Planes ---

template <int W>
template <class Hands>
void Encoding<W>::paint_hands(const Hands& hand, Side us, int repeated, uint8_t* planes, uint8_t on) const {
    const size_t all = cells();
    for (const Side side : {us, ~us})
        for (int slot = 0; slot < rules_->hands(); ++slot, planes += all)
            if (const uint8_t held = hand[side][size_t(slot)]) std::memset(planes, held * on, all);
    if (repeated > 0) std::memset(planes, on, size_t(std::min(repeated, tables_.repetitions)) * all);
}

template <int W>
Frame Encoding<W>::frame(const State<W>& s, int repeated) const {
    Frame found{{}, s.hand, s.royal, repeated};
    found.board.reserve(cells());
    for (const Cell cell : rules_->cell_of) found.board.push_back(s.board[cell]);
    return found;
}

template <int W>
void Encoding<W>::paint(const State<W>& s, int repeated, bool check, const Progress* progress,
                        const std::vector<Frame>& past, uint8_t* planes, uint8_t on) const {
    const Side us = s.side_to_move;
    const size_t all = cells();
    const uint16_t* view = this->view(s.royal, us);
    for (const Side side : {us, ~us}) {
        uint8_t* kinds = planes + (side == us ? 0 : kinds_ * all);
        s.occupied[side].each([&](Point point) {
            kinds[size_t(kind_of(s.board[rules_->cell_of[point]])) * all + view[point]] = on;
            return false;
        });
    }
    paint_hands(s.hand, us, repeated, planes + 2 * kinds_ * all, on);
    uint8_t* next = planes + block_ * all;
    for (size_t i = 0; i + 1 < size_t(tables_.history); ++i, next += block_ * all) {
        if (i >= past.size()) continue;
        const Frame& frame = past[i];
        const uint16_t* then = this->view(frame.royal, us);
        for (size_t point = 0; point < all; ++point)
            if (const Piece piece = frame.board[point]; piece != EMPTY)
                next[size_t(kind_of(piece) + (owned(piece, us) ? 0 : int(kinds_))) * all + then[point]] = on;
        paint_hands(frame.hand, us, frame.repeated, next + 2 * kinds_ * all, on);
    }
    if (us == BLACK) std::memset(next, on, all);
    if (check) std::memset(next + all, on, all);
    next += 2 * all;
    if (tables_.remembers) {
        if (s.taken_on != NO_POINT) next[view[s.taken_on]] = on;
        next += all;
    }
    if (!progress) return;
    const auto mark = [&](int cell) { next[view[rules_->point_of[size_t(cell)]]] = on; };
    if (progress->selected >= 0) mark(progress->selected);
    next += all;
    if (progress->at >= 0) mark(progress->at);
    next += all;
    if (rules_->is_compound) {
        for (const Cell cell : progress->passed) mark(cell);
        next += all;
        for (const Cell cell : progress->shot) mark(cell);
        next += all;
    }
    if (progress->slot >= 0) std::memset(next + size_t(progress->slot) * all, on, all);
    next += size_t(rules_->hands()) * all;
    if (progress->shown >= 0) std::memset(next + size_t(tables_.shown[size_t(progress->shown)]) * all, on, all);
}

// --- Turns ---

template <int W>
void Turn<W>::begin(const Encoding<W>& encoding, Position<W>& position) {
    node_ = -1;
    taken_.clear();
    actions.clear();
    const State<W>& s = position.state();
    if (!encoding.tables().steps) {
        MoveList moves;
        position.legal_moves(moves);
        return encoding.flat(s, moves, actions);
    }
    progress = {};
    const Movers<W> movers = position.movers();
    const uint16_t* view = encoding.view(s.royal, s.side_to_move);
    Bits<W> seen;
    movers.pieces.each([&](Point point) { return seen.set(view[point]), false; });
    seen.each([&](Point cell) { return actions.push_back(cell), false; });
    for (unsigned slots = movers.slots; slots; slots &= slots - 1)
        actions.push_back(ActionId(encoding.tables().drop + std::countr_zero(slots)));
}

// For steps: what may be done next in a turn that has begun.
template <int W>
void Turn<W>::list(const Encoding<W>& encoding, const State<W>& s) {
    const uint16_t* view = encoding.view(s.royal, s.side_to_move);
    actions.clear();
    for (auto at = size_t(tree_.first[size_t(node_)]); at < size_t(tree_.first[size_t(node_) + 1]); ++at)
        actions.push_back(encoding.action(tree_.steps[at], view));
}

template <int W>
std::optional<Move> Turn<W>::take(const Encoding<W>& encoding, Position<W>& position, ActionId action) {
    const State<W>& s = position.state();
    if (!encoding.tables().steps) return encoding.flat_move(s, action);
    if (node_ < 0) {
        const Move first = encoding.beginning(s, action);
        tree_ = steps_of_piece(position, first);
        node_ = 0;
        if (first.is_drop())
            progress.slot = first.from;
        else
            progress.selected = progress.at = first.from;
    } else {
        const uint16_t* view = encoding.view(s.royal, s.side_to_move);
        auto at = size_t(tree_.first[size_t(node_)]);
        while (encoding.action(tree_.steps[at], view) != action) ++at;
        const Step& step = tree_.steps[at];
        if (step.to < 0) return tree_.moves[size_t(~step.to)];
        node_ = step.to;
        const Cell cell = step.at < 0 ? NO_CELL : encoding.rules().cell_of[size_t(step.at)];
        if (step.type == StepType::FACE) progress.shown = step.kind;
        if (step.type == StepType::SHOOT) progress.shot.push_back(cell);
        if (step.type == StepType::GO || step.type == StepType::CAPTURE) {
            progress.at = cell;
            progress.passed.push_back(cell);
        }
    }
    taken_.push_back(action);
    list(encoding, s);
    return std::nullopt;
}

template <int W>
ActionList Turn<W>::path(const Encoding<W>& encoding, Position<W>& position, Move move) {
    const State<W>& s = position.state();
    const uint16_t* view = encoding.view(s.royal, s.side_to_move);
    const StepTree tree = steps_of_piece(position, move);
    struct Way {
        size_t node;
        ActionList actions;
    };
    const Step origin{move.is_drop() ? StepType::DROP : StepType::SELECT,
                      move.is_drop() ? -1 : int(encoding.rules().point_of[move.from]), int(move.from)};
    std::vector<Way> open{{0, {encoding.action(origin, view)}}};
    std::vector<bool> seen(tree.first.size());
    for (size_t i = 0; i < open.size(); ++i)
        for (auto at = size_t(tree.first[open[i].node]); at < size_t(tree.first[open[i].node + 1]); ++at) {
            const Step& step = tree.steps[at];
            ActionList actions_so_far = open[i].actions;
            actions_so_far.push_back(encoding.action(step, view));
            if (step.to < 0 && tree.moves[size_t(~step.to)] == move) return actions_so_far;
            if (step.to < 0 || seen[size_t(step.to)]) continue;
            seen[size_t(step.to)] = true;
            open.push_back({size_t(step.to), std::move(actions_so_far)});
        }
    return {};
}

KOMADAI_FOR_EACH_SIZE(class Encoding)
KOMADAI_FOR_EACH_SIZE(class Turn)

}  // namespace komadai
