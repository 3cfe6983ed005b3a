// The games that tests of every game are about: the small one, and those whose rule tables and position lie in the
// folder that KOMADAI_TABLES names, as `python -m komadai.compiler.dump` writes them.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "small_game.hpp"

namespace komadai::test {

struct Game {
    std::string name;
    RuleTables tables;
    PositionTable start;
};

// True where tests are to do all of their work; otherwise they do a share.
inline bool in_full() {
    const char* wanted = std::getenv("KOMADAI_TESTS");
    return wanted && std::string(wanted) == "full";
}

inline Game small_game() {
    Game game{"small", small_tables(), {}};
    const Position<SMALL> position = busy_position();
    for (Cell cell : position.rules().cell_of) game.start.board.push_back(position.at(cell));
    game.start.hands = {std::vector<int>(2), std::vector<int>(2)};
    return game;
}

inline const std::vector<Game>& games() {
    static const std::vector<Game> found = [] {
        std::vector<Game> made{small_game()};
        if (const char* folder = std::getenv("KOMADAI_TABLES"))
            for (const auto& entry : std::filesystem::directory_iterator(folder)) {
                std::ifstream file(entry.path());
                Game& game = made.emplace_back(Game{entry.path().stem().string(), {}, {}});
                read_text(file, game.tables);
                read_text(file, game.start);
            }
        return made;
    }();
    return found;
}

// Calls visit(position) with the position of a game after so many random plies, or fewer where the game ends.
template <class Visit>
void with_position(const Game& game, int plies, Visit visit) {
    AnyPosition made = make_position(make_rules(game.tables), game.start);
    std::visit(
        [&](auto& position) {
            std::mt19937 random(7);
            MoveList moves;
            for (int ply = 0; ply < plies && position.outcome().end == End::NONE; ++ply) {
                moves.clear();
                position.legal_moves(moves);
                position.push_noting_check(moves[random() % moves.size()]);
            }
            if (position.plies() && position.outcome().end != End::NONE) position.pop();
            visit(position);
        },
        made);
}

}  // namespace komadai::test
