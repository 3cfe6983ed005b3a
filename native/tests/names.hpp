// Names of points and kinds for move strings.
#pragma once

#include "move_names.hpp"
#include "rules.hpp"

namespace komadai::test {

// Numbers for names, of which none begins another.
inline MoveNames numbered_names(const RuleTables& tables) {
    std::vector<std::string> points, kinds;
    for (size_t point = 0; point < tables.cell_of.size(); ++point) points.push_back(std::to_string(point) + "p");
    for (int piece = 0; piece < tables.pieces; piece += 4) kinds.push_back(std::to_string(piece / 4) + "k");
    return MoveNames(tables.cell_of, points, kinds);
}

}  // namespace komadai::test
