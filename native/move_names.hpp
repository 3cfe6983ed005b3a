// Move strings (docs/rules/README.md), made of the names of points and kinds.
#pragma once

#include <string>
#include <string_view>

#include "types.hpp"

namespace komadai {

class MoveNames {
 public:
    // cell_of: point -> cell. points, kinds: the names by point and by kind.
    MoveNames(const std::vector<int>& cell_of, const std::vector<std::string>& points, std::vector<std::string> kinds);

    // True if the cell is a point.
    [[nodiscard]] bool knows(Cell cell) const { return cell < cells_.size() && !cells_[cell].empty(); }
    [[nodiscard]] std::string text(Move move) const;
    // True if that is the string of the move.
    [[nodiscard]] bool is(Move move, std::string_view text) const;
    // The first of the moves with that string, or their end.
    [[nodiscard]] MoveList::const_iterator find(const MoveList& moves, std::string_view text) const;

 private:
    // Calls visit(part) for the parts of the string in order, until it returns false; returns whether it never did.
    template <class Visit>
    bool each_part(Move move, Visit visit) const;

    std::vector<std::string> cells_, kinds_;
};

}  // namespace komadai
