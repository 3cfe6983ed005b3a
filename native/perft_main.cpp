// Counts the leaves of the game tree without Python: komadai_perft FILE DEPTH [divide]
//
// FILE holds rule tables and a position as `python -m komadai.compiler.dump` writes them.
#include <fstream>
#include <iostream>
#include <string>

#include "any_position.hpp"

namespace {

using namespace komadai;

int run(const std::string& path, int depth, bool divide) {
    std::ifstream file(path);
    if (!file) throw std::invalid_argument(path + " cannot be read");
    RuleTables tables;
    PositionTable table;
    read_text(file, tables);
    read_text(file, table);
    AnyPosition position = make_position(make_rules(tables), table);
    std::visit(
        [&](auto& p) {
            uint64_t total = 0;
            if (divide && depth > 0) {
                MoveList moves;
                p.legal_moves(moves);
                for (const Move& move : moves) {
                    p.push(move);
                    const uint64_t nodes = p.perft(depth - 1, true, false, [] {});
                    p.pop();
                    total += nodes;
                    // Cells are printed as points; a drop by its hand slot.
                    const auto& point_of = p.rules().point_of;
                    std::cout << (move.is_drop() ? "hand " : "") << (move.is_drop() ? move.from : point_of[move.from])
                              << " -> " << point_of[move.to] << " piece " << move.piece << ": " << nodes << '\n';
                }
            } else {
                total = p.perft(depth, true, false, [] {});
            }
            std::cout << total << '\n';
        },
        position);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::cerr << "usage: komadai_perft FILE DEPTH [divide]\n";
        return 2;
    }
    try {
        return run(argv[1], std::stoi(argv[2]), argc > 3 && std::string(argv[3]) == "divide");
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
