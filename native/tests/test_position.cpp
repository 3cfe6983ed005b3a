#include <doctest/doctest.h>

#include <random>
#include <set>

#include "small_game.hpp"
#include "snapshot.hpp"

using namespace komadai;
using namespace komadai::test;

namespace {

Move find(Position<SMALL>& position, int from, int to) {
    const auto& cell_of = position.rules().cell_of;
    MoveList moves;
    position.legal_moves(moves);
    for (const Move& move : moves)
        if (!move.is_drop() && move.from == cell_of[size_t(from)] && move.to == cell_of[size_t(to)]) return move;
    FAIL("no such legal move");
    return {};
}

void require_kinds(Position<SMALL>& position, const MoveList& legal) {
    const Cell royal = position.royal(position.side_to_move());
    std::set<std::pair<Cell, Cell>> by_royal, captures, others;
    std::set<Cell> drops;
    for (const Move& move : legal) {
        if (move.is_drop())
            drops.insert(move.to);
        else
            (move.from == royal              ? by_royal
             : position.at(move.to) != EMPTY ? captures
                                             : others)
                .emplace(move.from, move.to);
    }
    const Kinds<SMALL> kinds = position.kinds_of_moves();
    REQUIRE(kinds.by_royal == by_royal.size());
    REQUIRE(kinds.captures == captures.size());
    REQUIRE(kinds.others == others.size());
    REQUIRE(kinds.drops.count() == int(drops.size()));
    REQUIRE(kinds.any() == !legal.empty());
}

}  // namespace

TEST_CASE("pop undoes push in every random game, and the key stays that of the board and the hands") {
    std::mt19937 random(1);
    for (int game = 0; game < 20; ++game) {
        Position<SMALL> position = busy_position();
        std::vector<Snapshot<SMALL>> before;
        for (int ply = 0; ply < 60; ++ply) {
            MoveList moves;
            position.legal_moves(moves);
            if (moves.empty()) break;
            before.emplace_back(position);
            const Move move = moves[random() % moves.size()];
            const uint64_t board = position.board_key_after(move);
            position.push(move);
            REQUIRE(position.key() == position.key_from_scratch());
            REQUIRE(position.board_key() == board);
        }
        while (!before.empty()) {
            position.pop();
            REQUIRE(Snapshot(position) == before.back());
            before.pop_back();
        }
        CHECK(position.plies() == 0);
    }
}

TEST_CASE("both paths of generation agree in random games, on all moves and on checks") {
    std::mt19937 random(2);
    auto codes = [](const MoveList& moves) {
        std::vector<uint64_t> found;
        for (const Move& move : moves) found.push_back(move.code());
        std::sort(found.begin(), found.end());
        return found;
    };
    for (int game = 0; game < 20; ++game) {
        Position<SMALL> position = busy_position();
        for (int ply = 0; ply < 60; ++ply) {
            MoveList fast, generic, checks, tried;
            position.legal_moves(fast);
            position.legal_moves_generic(generic);
            REQUIRE(codes(fast) == codes(generic));
            REQUIRE(position.count_legal_moves() == fast.size());
            position.legal_checks(checks);
            position.legal_checks_generic(tried);
            REQUIRE(codes(checks) == codes(tried));
            require_kinds(position, generic);
            if (fast.empty()) break;
            position.push(fast[random() % fast.size()]);
        }
    }
}

TEST_CASE("a capture goes to the hand, unpromoted, and can be dropped") {
    Position<SMALL> position = small_position({{22, piece_of(KING, BLACK)},
                                               {10, piece_of(ROOK, BLACK)},
                                               {4, piece_of(KING, WHITE)},
                                               {14, piece_of(GOLD, WHITE)}});
    position.push(find(position, 10, 14));
    CHECK(position.in_hand(BLACK, 1) == 1);
    CHECK(position.at(position.rules().cell_of[14]) == piece_of(ROOK, BLACK));
    position.push(find(position, 4, 3));
    MoveList moves;
    position.legal_moves(moves);
    CHECK(std::count_if(moves.begin(), moves.end(), [](const Move& move) { return move.is_drop(); }) == 25 - 3);
}

TEST_CASE("a pinned piece stays on its line, and a check has to be parried") {
    Position<SMALL> pinned = small_position({{22, piece_of(KING, BLACK)},
                                             {12, piece_of(ROOK, BLACK)},
                                             {2, piece_of(ROOK, WHITE)},
                                             {4, piece_of(KING, WHITE)}});
    MoveList moves;
    pinned.legal_moves(moves);
    for (const Move& move : moves)
        if (move.from == pinned.rules().cell_of[12]) CHECK(pinned.rules().point_of[move.to] % 5 == 2);
    Position<SMALL> checked = small_position({{22, piece_of(KING, BLACK)},
                                              {10, piece_of(ROOK, BLACK)},
                                              {2, piece_of(ROOK, WHITE)},
                                              {4, piece_of(KING, WHITE)}});
    CHECK(checked.in_check(BLACK));
    CHECK_FALSE(checked.in_check(WHITE));
    moves.clear();
    checked.legal_moves(moves);
    const auto parries = std::count_if(moves.begin(), moves.end(),
                                       [&](const Move& move) { return move.from == checked.rules().cell_of[10]; });
    CHECK(parries == 1);  // only 10-12 comes between
}

TEST_CASE("the fourth occurrence of a position ends the game, and perpetual check loses where the rules say so") {
    RuleTables tables = small_tables();
    for (bool loses : {false, true}) {
        tables.perpetual_check_loses = loses;
        Position<SMALL> position(std::make_shared<const Rules<SMALL>>(tables));
        auto place = [&](int point, Piece piece) { position.place(position.rules().cell_of[size_t(point)], piece); };
        place(24, piece_of(KING, BLACK));
        place(15, piece_of(ROOK, BLACK));
        place(0, piece_of(KING, WHITE));
        position.set_side_to_move(WHITE);
        REQUIRE(position.in_check(WHITE));
        for (int round = 0; round < 3; ++round) {
            CHECK(position.outcome().end == End::NONE);
            const int rounds[4][2] = {{0, 1}, {15, 16}, {1, 0}, {16, 15}};
            for (auto [from, to] : rounds) position.push_noting_check(find(position, from, to));
        }
        const Outcome outcome = position.outcome();
        CHECK(outcome.end == (loses ? End::PERPETUAL_CHECK : End::REPETITION));
        CHECK(outcome.winner == (loses ? int(WHITE) : -1));
        CHECK(position.keys_before_repetition().size() >= 1);
        position.pop();
        CHECK(position.outcome().end == End::NONE);
    }
}

TEST_CASE("mate and stalemate win for the side that moved") {
    Position<SMALL> mate = small_position({{0, piece_of(KING, WHITE)},
                                           {20, piece_of(ROOK, BLACK)},
                                           {21, piece_of(ROOK, BLACK)},
                                           {24, piece_of(KING, BLACK)}},
                                          WHITE);
    CHECK(mate.outcome().end == End::CHECKMATE);
    CHECK(mate.outcome().winner == BLACK);
    Position<SMALL> stalemate = small_position({{0, piece_of(KING, WHITE)},
                                                {21, piece_of(ROOK, BLACK)},
                                                {8, piece_of(ROOK, BLACK)},
                                                {24, piece_of(KING, BLACK)}},
                                               WHITE);
    CHECK(stalemate.outcome().end == End::STALEMATE);
    CHECK(stalemate.outcome().winner == BLACK);
}
