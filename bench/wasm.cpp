// Counts leaves as WebAssembly, for bench/wasm.py: rule tables and a position on standard input, as
// `python -m komadai.compiler.dump` writes them; arguments: a depth, and whether the moves of the last ply are made.
// Prints the number of leaves and the seconds it took.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>

#include "any_position.hpp"

using namespace komadai;

// The libraries of WASI have no exceptions, of which none is thrown unless a table is wrong, and no ends of threads.
extern "C" {
void* __cxa_allocate_exception(size_t) noexcept { std::abort(); }
void __cxa_throw(void*, void*, void (*)(void*)) { std::abort(); }
int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }
}

int main(int, char** arguments) {
    RuleTables tables;
    PositionTable table;
    read_text(std::cin, tables);
    read_text(std::cin, table);
    const int depth = std::stoi(arguments[1]);
    const bool bulk = std::string(arguments[2]) == "bulk";
    AnyPosition position = make_position(make_rules(tables), table);
    auto count = [&](int plies) {
        return std::visit([&](auto& one) { return one.perft(plies, bulk, false, [] {}); }, position);
    };
    count(depth - 1);  // takes the memory that the count needs, and has the functions compiled
    const auto started = std::chrono::steady_clock::now();
    const uint64_t leaves = count(depth);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
    std::cout << leaves << ' ' << seconds.count() << '\n';
}
