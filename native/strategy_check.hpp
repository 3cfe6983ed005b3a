// The check of a strategy, as certificates hold them (docs/solved/format.md), by the generic path of the move
// generator.
//
// Nothing here knows a table or an index: positions are compared as they stand.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

#include "any_position.hpp"
#include "move_names.hpp"

namespace komadai {

class StrategyCheck {
 public:
    using TablePosition = Position<SMALL>;
    struct Fault {
        size_t entry;
        std::string what;
    };

    // `side` is the one whose answers these are; `win` is whether they win, by distances that fall. The names must
    // outlive this.
    StrategyCheck(std::shared_ptr<const Rules<SMALL>> rules, const MoveNames& names, Side side, bool win)
        : rules_(std::move(rules)), names_(names), side_(side), win_(win) {}

    // An entry: a position with the other side to move, the most plies to the end, and the answers to the replies in
    // the order of their strings. Throws std::invalid_argument if there is one for that position already.
    void add(const TablePosition& position, int plies, std::vector<std::string> answers);

    // The fault of the first entry that has one. `done` is called for each ENTRIES entries.
    static constexpr size_t ENTRIES = 256;
    [[nodiscard]] std::optional<Fault> run(int threads, const std::function<void(size_t)>& done,
                                           const std::function<void()>& poll) const;

 private:
    struct Entry {
        PositionTable position;
        int plies;
        std::vector<std::string> answers;
    };

    [[nodiscard]] static std::string key(const TablePosition& position);
    [[nodiscard]] std::optional<std::string> fault(const Entry& entry) const;
    [[nodiscard]] std::optional<std::string> follow(TablePosition& position, const std::string& answer,
                                                    int plies) const;

    std::shared_ptr<const Rules<SMALL>> rules_;
    const MoveNames& names_;
    Side side_;
    bool win_;
    std::vector<Entry> entries_;
    std::unordered_map<std::string, size_t> number_;  // of each entry, by key()
};

}  // namespace komadai
