#include "net_shape.hpp"

#include <algorithm>

namespace komadai {

namespace {

// Compares what the rules say of a board with what they say of its mirror image by files.
template <int W>
class Mirror {
 public:
    explicit Mirror(const Rules<W>& rules) : r_(rules), twin_(rules.deltas.size(), -1) {
        const int stride = r_.height > 1 ? r_.cell_of[size_t(r_.width)] - r_.cell_of[0] : r_.cells;
        for (size_t v = 0; v < twin_.size(); ++v) {
            const int lifted = r_.deltas[v] + r_.cells * stride + stride / 2;  // above 0
            const int across = lifted % stride - stride / 2;
            const auto found = std::ranges::find(r_.deltas, r_.deltas[v] - 2 * across);
            if (found != r_.deltas.end()) twin_[v] = int(found - r_.deltas.begin());
        }
    }

    [[nodiscard]] bool everything() const {
        const auto pieces = std::ranges::all_of(r_.info, [&](const auto& piece) { return moves(piece); });
        const auto sights = std::ranges::all_of(r_.sights, [&](const auto& sight) {
            return vectors(sight.vectors[BLACK]) && vectors(sight.vectors[WHITE]);
        });
        const auto lenders = std::ranges::all_of(r_.lender_deltas, [&](const auto& deltas) {
            return std::ranges::all_of(deltas, [&](int delta) {
                const int twin = twin_[size_t(std::ranges::find(r_.deltas, delta) - r_.deltas.begin())];
                return twin >= 0 && std::ranges::find(deltas, r_.deltas[size_t(twin)]) != deltas.end();
            });
        });
        return pieces && sights && lenders && places();
    }

 private:
    [[nodiscard]] uint64_t image(uint64_t set) const {
        uint64_t found = 0;
        for (; set; set &= set - 1)
            if (const int twin = twin_[size_t(std::countr_zero(set))]; twin >= 0) found |= uint64_t(1) << twin;
        return found;
    }
    [[nodiscard]] bool vectors(uint64_t set) const { return image(set) == set; }
    [[nodiscard]] bool points(const Bits<W>& set) const {
        return !set.each([&](Point point) {
            const int x = point % r_.width;
            return !set.test(Point(point - x + r_.width - 1 - x));
        });
    }
    [[nodiscard]] bool moves(const typename Rules<W>::PieceInfo& piece) const {
        if (!vectors(piece.leap_bits) || !vectors(piece.slide_bits)) return false;
        for (size_t v = 0; v < twin_.size(); ++v)
            if (piece.slide_bits >> v & 1 && piece.reach[v] != piece.reach[size_t(twin_[v])]) return false;
        for (const LegTable& leg : piece.special_legs)
            if (std::ranges::none_of(piece.special_legs, [&](const LegTable& other) {
                    return other.vector == twin_[size_t(leg.vector)] && other.reach == leg.reach &&
                           other.hops == leg.hops && other.quiet == leg.quiet && other.captures == leg.captures;
                }))
                return false;
        for (const WalkTable& walk : piece.walks)
            if (!vectors(walk.first) || !follows(walk)) return false;
        for (const ShotTable& shot : piece.shots) {
            uint64_t set = 0;
            for (const int vector : shot.vectors) set |= uint64_t(1) << vector;
            if (!vectors(set)) return false;
        }
        return points(piece.may_land) && points(piece.may_drop);
    }
    [[nodiscard]] bool follows(const WalkTable& walk) const {
        for (size_t v = 0; v < walk.next.size(); ++v)
            if (walk.next[v] && (twin_[v] < 0 || image(walk.next[v]) != walk.next[size_t(twin_[v])])) return false;
        return true;
    }
    [[nodiscard]] bool places() const {
        const auto all = [&](const auto& sets) {
            return std::ranges::all_of(sets, [&](const Bits<W>& set) { return points(set); });
        };
        const auto of_rule = [&](const auto& rule) { return all(rule.where); };
        return all(r_.zone) && std::ranges::all_of(r_.rules, of_rule) &&
               std::ranges::all_of(r_.compound_rules,
                                   [&](const auto& rules) { return std::ranges::all_of(rules, of_rule); }) &&
               std::ranges::all_of(r_.stands, [&](const auto& stands) { return all(stands.region); });
    }

    const Rules<W>& r_;
    std::vector<int> twin_;  // by vector: its mirror image, or -1
};

}  // namespace

template <int W>
NetShape<W>::NetShape(std::shared_ptr<const Rules<W>> rules)
    : rules_(std::move(rules)), mirrored_(Mirror<W>(*rules_).everything()) {
    const Rules<W>& r = *rules_;
    const int places = r.has_edges() ? (mirrored_ ? (r.width + 1) / 2 : r.width) * r.height : 0;
    for (fine_ = std::max(r.width, r.height);; --fine_) {
        first_place_ = 2 * kinds() * rows() * columns();
        first_held_ = first_place_ + places;
        features_ = first_held_ + 2 * r.hands() * HELD;
        if (features_ <= LARGEST || fine_ == 1) break;
    }
    fill_tables();
}

template <int W>
void NetShape<W>::fill_tables() {
    const Rules<W>& r = *rules_;
    for (int point = 0; point < r.points; ++point) {
        row_.push_back(uint8_t(point / r.width));
        column_.push_back(uint8_t(point % r.width));
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
    return {royal, by_row_[side].data() + y * r.height, by_column_[side].data() + x * r.width, of_piece_[side].data(),
            place};
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
