#include "net_shape.hpp"

#include <algorithm>

namespace komadai {

template <int W>
NetShape<W>::NetShape(std::shared_ptr<const Rules<W>> rules, bool mirrored, bool control)
    : rules_(std::move(rules)), mirrored_(mirrored), control_(control && !rules_->is_compound) {
    const Rules<W>& r = *rules_;
    const int places = r.has_edges() ? (mirrored_ ? (r.width + 1) / 2 : r.width) * r.height : 0;
    for (fine_ = std::max(r.width, r.height);; --fine_) {
        first_place_ = 2 * kinds() * rows() * columns();
        first_held_ = first_place_ + places;
        first_control_ = first_held_ + 2 * r.hands() * HELD;
        if (first_control_ <= LARGEST || fine_ == 1) break;
    }
    features_ = first_control_ + (control_ ? 2 * WINDOW * (CONTROLS - 1) : 0);
    fill_tables();
}

template <int W>
void NetShape<W>::fill_tables() {
    const Rules<W>& r = *rules_;
    for (int point = 0; point < r.points; ++point) {
        row_.push_back(uint8_t(point / r.width));
        column_.push_back(uint8_t(point % r.width));
    }
    for (int point = 0; point < r.points; ++point) {
        uint32_t inside = 0;
        for (int i = 0; i < WINDOW; ++i) {
            const int x = column_[point] + i % ACROSS - STEPS, y = row_[point] + i / ACROSS - STEPS;
            if (x >= 0 && x < r.width && y >= 0 && y < r.height) inside |= uint32_t(1) << i;
        }
        inside_.push_back(inside);
    }
    for (Side side : {BLACK, WHITE}) {
        const int ahead = side == BLACK ? 1 : -1;  // the sides see the board turned by half
        for (int royal = 0; royal < r.height; ++royal)
            for (int y = 0; y < r.height; ++y)
                by_row_[side].push_back((rows() / 2 + along((y - royal) * ahead)) * columns());
        for (int royal = 0; royal < r.width; ++royal) {
            const bool turned = mirrored_ && (side == BLACK ? royal : r.width - 1 - royal) > left();
            for (int x = 0; x < r.width; ++x)
                by_column_[side].push_back(step(left()) + along((x - royal) * (turned ? -ahead : ahead)));
        }
        for (size_t piece = 0; piece < r.info.size(); ++piece) {
            const bool own = is_piece(Piece(piece)) && side_of(Piece(piece)) == side;
            of_piece_[side].push_back(((own ? 0 : kinds()) + kind_of(Piece(piece))) * rows() * columns());
        }
    }
}

template <int W>
Cell NetShape<W>::royal(const State<W>& state, Side side) const {
    const Rules<W>& r = *rules_;
    if (r.single_royal && !r.survival_set) return state.royal[side];
    Cell found = NO_CELL;
    const auto take = [&](Point point) {
        found = r.cell_of[point];
        return side == WHITE;  // whose rearmost piece is the first
    };
    if (r.survival_set)
        (state.watched[*r.survival_set] & state.occupied[side]).each(take);
    else if (r.has_royal)
        state.occupied[side].each(
            [&](Point point) { return r.info[state.board[r.cell_of[point]]].royal && take(point); });
    return found;
}

template <int W>
bool NetShape<W>::has_royal(const State<W>& state, Side side, Cell royal) const {
    const Rules<W>& r = *rules_;
    if (royal != NO_CELL || !r.has_royal) return true;
    for (int slot = 0; slot < r.hands(); ++slot)
        if (state.hand[side][slot] && r.info[piece_of(r.drops[size_t(slot)].front(), side)].royal) return true;
    return false;
}

template <int W>
typename NetShape<W>::View NetShape<W>::view(Side side, Cell royal) const {
    const Rules<W>& r = *rules_;
    const bool there = royal != NO_CELL;
    int x = (r.width - 1) / 2, y = r.has_edges() ? r.height - 1 : (r.height - 1) / 2;
    if (side == WHITE) x = r.width - 1 - x, y = r.height - 1 - y;
    if (there) x = column_[r.point_of[royal]], y = row_[r.point_of[royal]];
    int place = -1;
    if (there && r.has_edges()) {
        const int seen_x = side == BLACK ? x : r.width - 1 - x, seen_y = side == BLACK ? y : r.height - 1 - y;
        const int folded = mirrored_ ? std::min(seen_x, r.width - 1 - seen_x) : seen_x;
        place = first_place_ + seen_y * (mirrored_ ? (r.width + 1) / 2 : r.width) + folded;
    }
    const bool turned = mirrored_ && (side == BLACK ? x : r.width - 1 - x) > left();
    return {royal,
            by_row_[side].data() + y * r.height,
            by_column_[side].data() + x * r.width,
            of_piece_[side].data(),
            place,
            turned};
}

// The points around a point that are in a set: five bits of each rank side by side, and beyond the edges none.
template <int W>
uint32_t NetShape<W>::around(const Bits<W>& points, Point point) const {
    uint32_t found = 0;
    for (int i = 0; i < ACROSS; ++i) {
        const int y = row_[point] + i - STEPS;
        if (y < 0 || y >= rules_->height) continue;
        const int first = y * rules_->width + column_[point] - STEPS;
        uint64_t bits = 0;
        if (first < 0) {
            bits = points.word[0] << -first;
        } else {
            const auto at = size_t(first / 64), shift = size_t(first % 64);
            if (at < W) bits = points.word[at] >> shift;
            if (shift && at + 1 < W) bits |= points.word[at + 1] << (64 - shift);
        }
        found |= uint32_t(bits & ((1 << ACROSS) - 1)) << (i * ACROSS);
    }
    return found & inside_[point];
}

template <int W>
typename NetShape<W>::Control NetShape<W>::control(const State<W>& state, const Reached<W>& reached) const {
    Control found;
    for (Side side : {BLACK, WHITE})
        if (const Cell royal = this->royal(state, side); royal != NO_CELL)
            for (Side by : {BLACK, WHITE}) {
                const Point point = rules_->point_of[royal];
                found[side].once[by] = around(reached.once[by], point);
                found[side].twice[by] = around(reached.twice[by], point);
            }
    return found;
}

template <int W>
int NetShape<W>::phase(const State<W>& state) const {
    const Rules<W>& r = *rules_;
    const int standing = state.everyone().count();
    int held = 0;
    for (Side side : {BLACK, WHITE})
        for (int slot = 0; slot < r.hands(); ++slot) held += state.hand[side][slot];
    const int part = r.hands() ? held : standing, whole = r.hands() ? held + standing : r.points;
    return std::min(2 * part * PHASES / std::max(whole, 1), PHASES - 1);
}

KOMADAI_FOR_EACH_SIZE(class NetShape)

}  // namespace komadai
