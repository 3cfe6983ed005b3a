// The check of a strategy, as certificates hold them (docs/solved/format.md), by the generic path of the move
// generator.
//
// Nothing here knows a table or an index: positions are compared as they stand, and under the images that the
// certificate names.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

#include "any_position.hpp"
#include "move_names.hpp"

namespace komadai {

// A symmetry as certificates name them: a linear map of the board about its middle, or about the piece that the window
// of a board without edges follows, as x' = a x + b y, y' = c x + d y; whether the sides are exchanged; and the kinds
// and places in hand that kinds and places in hand become.
struct Image {
    std::array<int, 4> map;
    int exchanges;
    std::vector<int> kinds, slots;

    template <class Visit>
    static void fields(Visit visit) {
        visit("map", &Image::map);
        visit("exchanges", &Image::exchanges);
        visit("kinds", &Image::kinds);
        visit("slots", &Image::slots);
    }
};

class StrategyCheck {
 public:
    using TablePosition = Position<SMALL>;
    struct Fault {
        size_t entry;
        std::string what;
    };

    // `images` form a group, the first of which is the identity; `win` is whether the strategy wins, by distances that
    // fall. The names must outlive this.
    StrategyCheck(std::shared_ptr<const Rules<SMALL>> rules, const MoveNames& names, std::vector<Image> images,
                  bool win)
        : rules_(std::move(rules)), names_(names), images_(std::move(images)), win_(win) {}

    // An entry: a position, the most plies to the end, and the move of the side to move. Throws std::invalid_argument
    // if there is an entry for that position already.
    void add(const TablePosition& position, int plies, std::string move);

    // The fault of the first entry that has one. `done` is called for each ENTRIES entries.
    static constexpr size_t ENTRIES = 256;
    [[nodiscard]] std::optional<Fault> run(int threads, const std::function<void(size_t)>& done,
                                           const std::function<void()>& poll) const;

 private:
    // All of a position, not a hash of it: the side to move, point and piece of each piece in the order of the points,
    // and the hands.
    using Key = std::string;
    struct Entry {
        Key position;
        int plies;
        std::string move;
    };

    [[nodiscard]] Key key(const TablePosition& position) const;
    [[nodiscard]] TablePosition set_up(const Key& key) const;
    // The image of a position, if it has one.
    [[nodiscard]] std::optional<Key> image(const Image& image, const Key& of) const;
    // The number of the entry for a position or for an image of it.
    [[nodiscard]] std::optional<size_t> find(const Key& position) const;
    [[nodiscard]] std::optional<std::string> fault(const Entry& entry) const;
    // The fault of the replies to a move that was made so many plies before the end at most.
    [[nodiscard]] std::optional<std::string> replies(const Key& after, int plies) const;
    // True if a legal move of the first position leads to the second.
    [[nodiscard]] bool leads(const Key& from, const Key& to) const;

    std::shared_ptr<const Rules<SMALL>> rules_;
    const MoveNames& names_;
    std::vector<Image> images_;
    bool win_;
    std::vector<Entry> entries_;
    std::unordered_map<Key, size_t> number_;  // of each entry
};

}  // namespace komadai
