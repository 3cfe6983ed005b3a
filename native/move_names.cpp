#include "move_names.hpp"

#include <algorithm>

namespace komadai {

MoveNames::MoveNames(const std::vector<int>& cell_of, const std::vector<std::string>& points,
                     std::vector<std::string> kinds)
    : kinds_(std::move(kinds)) {
    for (size_t point = 0; point < points.size(); ++point) {
        const size_t cell = size_t(cell_of.at(point));
        if (cells_.size() <= cell) cells_.resize(cell + 1);
        cells_[cell] = points[point];
    }
}

template <class Visit>
bool MoveNames::each_part(Move move, Visit visit) const {
    if (move.is_drop()) return visit(kinds_[size_t(kind_of(move.piece))]) && visit("*") && visit(cells_[move.to]);
    if (!visit(cells_[move.from])) return false;
    uint64_t trail = move.trail;
    auto tag = [&] { return trail & 0xFFFF & ~uint64_t(TRAIL_CELL); };
    auto item = [&](bool shot) { return (!shot || visit("*")) && visit(cells_[trail & TRAIL_CELL]); };
    // A piece that shoots from its place does not land.
    const bool stays = move.from == move.to && tag() == TRAIL_LAST_SHOT;
    for (; trail && tag() != TRAIL_LAST_SHOT; trail >>= 16)
        if (!item(tag() == TRAIL_SHOT)) return false;
    if (!stays && !visit(cells_[move.to])) return false;
    for (; trail; trail >>= 16)
        if (!item(true)) return false;
    if (move.flags & PROMOTES) return visit("+");
    return !(move.flags & CHOOSES) || (visit("=") && visit(kinds_[size_t(kind_of(move.piece))]));
}

std::string MoveNames::text(Move move) const {
    std::string text;
    each_part(move, [&](std::string_view part) { return text += part, true; });
    return text;
}

bool MoveNames::is(Move move, std::string_view text) const {
    const bool fits = each_part(move, [&](std::string_view part) {
        if (!text.starts_with(part)) return false;
        text.remove_prefix(part.size());
        return true;
    });
    return fits && text.empty();
}

MoveList::const_iterator MoveNames::find(const MoveList& moves, std::string_view text) const {
    return std::ranges::find_if(moves, [&](Move move) { return is(move, text); });
}

}  // namespace komadai
