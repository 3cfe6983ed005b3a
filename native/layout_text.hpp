// Rule tables and positions as text, for programs that use the core without Python, and for looking at tables.
//
// Words separated by white space: a struct is its fields in order, each as its name and its value; a list is its length
// and its items; an optional is 0, or 1 and its value.
#pragma once

#include <istream>
#include <ostream>

#include "layout.hpp"

namespace komadai {

// A position as plain numbers.
struct PositionTable {
    int side_to_move = 0;                   // 0 Black, 1 White
    std::vector<int> board;                 // piece numbers by point
    std::array<std::vector<int>, 2> hands;  // counts by side and hand slot
    std::optional<int> taken_on;            // the point of the last move's capture, if it is remembered

    KOMADAI_FIELDS(PositionTable, side_to_move, board, hands, taken_on)
};

// These set the stream to throw what its buffer throws.
void write_text(std::ostream& out, const RuleTables& tables);
void write_text(std::ostream& out, const PositionTable& position);

// Throw std::invalid_argument if the text is not of that form.
void read_text(std::istream& in, RuleTables& tables);
void read_text(std::istream& in, PositionTable& position);

}  // namespace komadai
