#include <doctest/doctest.h>

#include "tt.hpp"

using namespace komadai;
using Entry = TranspositionTable::Entry;

TEST_CASE("what is stored is found again") {
    TranspositionTable table(1);
    CHECK_FALSE(table.probe(42));
    table.store(42, {7, -1234, 9, TranspositionTable::LOWER, true});
    const auto found = table.probe(42);
    REQUIRE(found);
    CHECK(found->move == 7);
    CHECK(found->score == -1234);
    CHECK(found->depth == 9);
    CHECK(found->bound == TranspositionTable::LOWER);
    CHECK(found->pv);
    CHECK_FALSE(table.probe(43));
    for (int search = 0; search < 40; ++search) table.next_search();
    table.store(43, {7, -1234, 9, TranspositionTable::EXACT});
    CHECK_FALSE(table.probe(43)->pv);
    CHECK(table.probe(42)->pv);
}

TEST_CASE("a new entry without a move keeps the known one, and a much shallower bound replaces nothing") {
    TranspositionTable table(1);
    table.store(1, {7, 10, 8, TranspositionTable::LOWER});
    table.store(1, {0, 20, 8, TranspositionTable::EXACT});
    CHECK(table.probe(1)->move == 7);
    CHECK(table.probe(1)->score == 20);
    table.store(1, {9, 30, 2, TranspositionTable::UPPER});
    CHECK(table.probe(1)->score == 20);
    table.next_search();
    table.store(1, {9, 30, 2, TranspositionTable::UPPER});
    CHECK(table.probe(1)->score == 30);
}

TEST_CASE("a full cluster gives up its shallowest entry, and those of earlier searches first") {
    TranspositionTable table(1);
    for (uint64_t key = 0; key < 4; ++key) table.store(key, {1, 0, int(5 + key), TranspositionTable::EXACT});
    table.store(4, {1, 0, 20, TranspositionTable::EXACT});
    CHECK_FALSE(table.probe(0));
    for (uint64_t key = 1; key < 5; ++key) CHECK(table.probe(key));
    table.next_search();
    table.store(3, {1, 0, 8, TranspositionTable::EXACT});
    table.store(5, {1, 0, 1, TranspositionTable::EXACT});
    CHECK_FALSE(table.probe(1));
    table.store(6, {1, 0, 1, TranspositionTable::EXACT});
    CHECK_FALSE(table.probe(2));
    CHECK(table.probe(3));
}

TEST_CASE("clearing forgets everything") {
    TranspositionTable table(1);
    table.store(42, {7, 1, 1, TranspositionTable::EXACT});
    table.clear();
    CHECK_FALSE(table.probe(42));
    CHECK(table.hashfull() == 0);
}
