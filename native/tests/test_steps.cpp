// Trees of steps of every game: whole, in bounds, and of exactly the legal moves.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "games.hpp"
#include "names.hpp"
#include "steps.hpp"

using namespace komadai;
using namespace komadai::test;

namespace {

std::set<std::string> texts(const MoveList& moves, const MoveNames& names) {
    std::set<std::string> found;
    for (Move move : moves) found.insert(names.text(move));
    return found;
}

TEST_SUITE_BEGIN("steps");

TEST_CASE("the leaves of a tree are the legal moves, and its nodes hang together") {
    for (const Game& game : games())
        for (int plies : {0, 7, 30}) {
            INFO(game.name << " after " << plies << " plies");
            const MoveNames names = numbered_names(game.tables);
            with_position(game, plies, [&]<int W>(Position<W>& position) {
                const StepTree tree = step_tree(position, names);
                MoveList legal;
                position.legal_moves(legal);
                CHECK(texts(tree.moves, names) == texts(legal, names));
                CHECK(texts(legal, names).size() == legal.size());
                CHECK(tree.first.front() == 0);
                CHECK(tree.first.back() == int(tree.steps.size()));
                CHECK(std::ranges::is_sorted(tree.first));
                std::set<int> nodes{0}, leaves;
                for (const Step& step : tree.steps) step.to < 0 ? leaves.insert(~step.to) : nodes.insert(step.to);
                CHECK(nodes.size() == tree.first.size() - 1);
                CHECK(leaves.size() == tree.moves.size());
                CHECK(tree.leaves.size() == tree.moves.size());
                CHECK((leaves.empty() || *leaves.rbegin() == int(leaves.size()) - 1));
                for (const LeafEffect& effect : tree.effects) CHECK(leaves.contains(effect.leaf));
            });
        }
}

TEST_CASE("a move is found by its string and by no other") {
    for (const Game& game : games())
        with_position(game, 12, [&](auto& position) {
            INFO(game.name);
            const MoveNames names = numbered_names(game.tables);
            MoveList moves;
            position.legal_moves(moves);
            for (auto move = moves.begin(); move != moves.end(); ++move) {
                const std::string text = names.text(*move);
                CHECK(names.find(moves, text) == move);
                CHECK(!names.is(*move, text + "+"));
                CHECK(!names.is(*move, std::string_view(text).substr(1)));
                CHECK(!names.is(*move, std::string_view(text).substr(0, text.size() - 1)));
            }
            CHECK(names.find(moves, "") == moves.end());
        });
}

TEST_SUITE_END();

}  // namespace
