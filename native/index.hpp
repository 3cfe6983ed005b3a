// Positions of a small game as numbers: a dense computed index for tables of solved games.
//
// A position is first normalised: seen by the side to move, which becomes Black by turning the board and swapping the
// colours, and, in games with mirror symmetry, by its smaller mirror image. The number then encodes, the most
// significant first: the points of the two single pieces, which are royal or whose loss ends the game; the number of
// pieces of each family on the board; family by family, their points and owners; and then, beginning with the last
// family, the hands and the kinds on the board. (Neighbours in this order have similar values, so tables compress
// well.) There are no gaps: every number is one arrangement of the pieces, legal or not. After these come the few
// positions of the opening in which a single piece is still in hand.
#pragma once

#include <string>
#include <unordered_map>

#include "position.hpp"

namespace komadai {

using Slot = uint32_t;
constexpr Slot NO_SLOT = 0xFFFFFFFF;

// Kinds that promote or demote to each other. The game has a fixed number of such pieces.
struct Family {
    int count;
    std::vector<int> kinds;       // on the board
    std::vector<int> hand_slots;  // in hand

    KOMADAI_FIELDS(Family, count, kinds, hand_slots)
};

class TableIndex {
 public:
    using TablePosition = Position<SMALL>;

    // `start` is the first position of the opening; `single` is the kind of which each side has one piece, whose loss
    // ends the game; `mirror` is whether the game has mirror symmetry.
    TableIndex(std::shared_ptr<const Rules<SMALL>> rules, const TablePosition& start, int single,
               std::vector<Family> families, bool mirror);

    [[nodiscard]] const std::shared_ptr<const Rules<SMALL>>& rules() const { return rules_; }
    // The numbers are 0 to size() - 1.
    [[nodiscard]] Slot size() const { return main_ + Slot(opening_.size()); }
    // The first number of the opening.
    [[nodiscard]] Slot main() const { return main_; }
    // The number of a position, or NO_SLOT if it has none.
    [[nodiscard]] Slot find(const TablePosition& position) const { return locate(position).slot; }
    struct Place {
        Slot slot = NO_SLOT;
        bool fixed = false;  // the position is its own mirror image
    };
    [[nodiscard]] Place locate(const TablePosition& position) const;
    // Sets up the position of that number, with Black to move; `position` must have no moves pushed.
    void set_up(Slot slot, TablePosition& position) const;
    // True if the position set up from `slot` can be played, and is not the mirror image of one with a smaller number.
    [[nodiscard]] bool counts(Slot slot, const TablePosition& position) const;
    // True if the position set up from `slot` is the mirror image of one with a smaller number.
    [[nodiscard]] bool is_image(Slot slot, const TablePosition& position) const;
    [[nodiscard]] TablePosition blank() const { return TablePosition(rules_); }

 private:
    static constexpr int MAX_FAMILIES = 8;
    static constexpr int MAX_POINTS = 64;
    static constexpr int IN_HAND = -1;

    // A position from the view of the side to move.
    struct Layout {
        std::array<int, 2> royal{IN_HAND, IN_HAND};  // point; the mover's first
        std::array<uint64_t, MAX_FAMILIES> on{};     // points by family
        std::array<uint8_t, MAX_POINTS> label{};     // by point: index in the family's kinds * 2 + owner
        std::array<std::array<uint8_t, 2 * MAX_HAND>, MAX_FAMILIES> hand{};  // by hand slot of the family * 2 + owner
        bool operator==(const Layout&) const = default;
    };

    [[nodiscard]] Layout layout(const TablePosition& position) const;
    [[nodiscard]] Layout mirrored(const Layout& layout) const;
    [[nodiscard]] Slot rank(const Layout& layout) const;
    [[nodiscard]] Layout unrank(Slot slot) const;
    [[nodiscard]] std::string key(const Layout& layout) const;
    [[nodiscard]] Place locate(const Layout& layout) const;
    void find_opening(const TablePosition& start);

    // The number of ways to spread `pieces` over `places` hands.
    [[nodiscard]] uint64_t spread(int pieces, int places) const {
        return places ? choose_[pieces + places - 1][places - 1] : pieces == 0;
    }
    [[nodiscard]] int hand_places(size_t family) const { return 2 * int(families_[family].hand_slots.size()); }
    [[nodiscard]] uint64_t kind_count(size_t family) const { return families_[family].kinds.size(); }

    std::shared_ptr<const Rules<SMALL>> rules_;
    std::vector<Family> families_;
    bool mirror_;
    int points_;
    int single_, single_slot_ = -1;
    std::vector<int> family_of_, place_of_;    // by kind
    std::array<int, MAX_POINTS> image_{};      // point -> its mirror image
    std::vector<int> class_of_;                // mover's royal * points + the other's
    std::vector<std::pair<int, int>> royals_;  // class -> points
    std::array<std::array<uint64_t, MAX_POINTS + 1>, MAX_POINTS + 1> choose_{};
    struct Group {
        std::array<int, MAX_FAMILIES> on;  // pieces of each family on the board
        uint64_t first;                    // number of its first arrangement within the class
    };
    std::vector<Group> groups_;  // by the counts on the board, as a number
    std::vector<int> group_stride_;
    uint64_t per_class_ = 0;
    Slot main_ = 0;
    std::vector<Layout> opening_;
    std::unordered_map<std::string, Slot> opening_of_;
};

}  // namespace komadai
