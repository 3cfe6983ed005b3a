// Positions of a small game as numbers: a dense computed index for tables of solved games.
//
// A position is first normalised: seen by the side to move, which becomes Black by turning the board and swapping the
// colours, and, where left and right make no difference, by its smaller mirror image. The number then says, the most
// significant first: where the royal pieces stand; how many pieces of each family are on the board; family by family,
// on which points and whose; and then, beginning with the last family, how the rest lies in the hands and what those on
// the board are. (Neighbours in this order have like values, so tables compress well.) There are no gaps: every number
// is one arrangement of the pieces, legal or not. After these come the few positions of the opening in which a royal
// piece is still in hand.
#pragma once

#include <string>
#include <unordered_map>

#include "position.hpp"

namespace komadai {

using Slot = uint32_t;
constexpr Slot NO_SLOT = 0xFFFFFFFF;

// Kinds that turn into each other, of which the game has a fixed number.
struct Family {
    int count;
    std::vector<int> kinds;       // on the board
    std::vector<int> hand_slots;  // in hand
};

class TableIndex {
 public:
    using TablePosition = Position<2>;

    // `start` tells where the opening begins; `mirror` whether left and right make no difference.
    TableIndex(std::shared_ptr<const Rules<2>> rules, const TablePosition& start, std::vector<Family> families,
               bool mirror);

    [[nodiscard]] const std::shared_ptr<const Rules<2>>& rules() const { return rules_; }
    // How many numbers there are: 0 to size() - 1.
    [[nodiscard]] Slot size() const { return main_ + Slot(opening_.size()); }
    // How many of them are not of the opening.
    [[nodiscard]] Slot main() const { return main_; }
    // The number of a position, or NO_SLOT if the table is not about it.
    [[nodiscard]] Slot find(const TablePosition& position) const;
    // Makes the position, which must have no moves pushed, the one of that number, with Black to move.
    void set_up(Slot slot, TablePosition& position) const;
    // Whether the position set up from `slot` can be played, and is not the mirror image of one with a smaller number.
    [[nodiscard]] bool counts(Slot slot, const TablePosition& position) const;
    // Whether the position set up from `slot` is the mirror image of one with a smaller number.
    [[nodiscard]] bool is_image(Slot slot, const TablePosition& position) const;
    [[nodiscard]] TablePosition blank() const { return TablePosition(rules_); }

 private:
    static constexpr int MAX_FAMILIES = 8;
    static constexpr int MAX_POINTS = 64;
    static constexpr int IN_HAND = -1;

    // A position as the side to move sees it.
    struct Layout {
        std::array<int, 2> royal{IN_HAND, IN_HAND};  // point; the mover's first
        std::array<uint64_t, MAX_FAMILIES> on{};     // points by family
        std::array<uint8_t, MAX_POINTS> label{};  // by point: place in the family's kinds * 2 + whether the opponent's
        std::array<std::array<uint8_t, 2 * MAX_HAND>, MAX_FAMILIES> hand{};  // by hand slot of the family * 2 + whose
        bool operator==(const Layout&) const = default;
    };

    [[nodiscard]] Layout layout(const TablePosition& position) const;
    [[nodiscard]] Layout mirrored(const Layout& layout) const;
    [[nodiscard]] Slot rank(const Layout& layout) const;
    [[nodiscard]] Layout unrank(Slot slot) const;
    [[nodiscard]] std::string key(const Layout& layout) const;
    [[nodiscard]] Slot find(const Layout& layout) const;
    void find_opening(const TablePosition& start);

    // In how many ways `pieces` of a kind lie in `places` hands.
    [[nodiscard]] uint64_t spread(int pieces, int places) const {
        return places ? choose_[pieces + places - 1][places - 1] : pieces == 0;
    }
    [[nodiscard]] int hand_places(size_t family) const { return 2 * int(families_[family].hand_slots.size()); }
    [[nodiscard]] uint64_t kind_count(size_t family) const { return families_[family].kinds.size(); }

    std::shared_ptr<const Rules<2>> rules_;
    std::vector<Family> families_;
    bool mirror_;
    int points_;
    int royal_kind_ = -1, royal_slot_ = -1;
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
