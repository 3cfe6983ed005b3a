#include "strategy_check.hpp"

#include <algorithm>
#include <mutex>

#include "solve.hpp"

namespace komadai {

namespace {

// The pieces in a key, each in three bytes: its point, and its number. After them come the hands.
constexpr size_t PIECE = 3;
int point_at(std::string_view key, size_t at) { return uint8_t(key[at]); }
int piece_at(std::string_view key, size_t at) { return uint8_t(key[at + 1]) | uint8_t(key[at + 2]) << 8; }

}  // namespace

StrategyCheck::Key StrategyCheck::key(const TablePosition& position) const {
    Key found(1, char(position.side_to_move()));
    (position.pieces(BLACK) | position.pieces(WHITE)).each([&](Point point) {
        const Piece piece = position.at(rules_->cell_of[point]);
        for (int part : {int(point), piece & 0xFF, piece >> 8}) found += char(part);
        return false;
    });
    for (Side side : {BLACK, WHITE})
        for (int slot = 0; slot < rules_->hands(); ++slot) found += char(position.in_hand(side, slot));
    return found;
}

StrategyCheck::TablePosition StrategyCheck::set_up(const Key& key) const {
    TablePosition position(rules_);
    const auto hands = size_t(rules_->hands());
    size_t at = 1;
    for (; at + 2 * hands < key.size(); at += PIECE)
        position.place(rules_->cell_of[size_t(point_at(key, at))], Piece(piece_at(key, at)));
    for (Side side : {BLACK, WHITE})
        for (size_t slot = 0; slot < hands; ++slot) position.give(side, int(slot), key[at++]);
    position.set_side_to_move(Side(key[0]));
    return position;
}

std::optional<StrategyCheck::Key> StrategyCheck::image(const Image& image, const Key& of) const {
    const int width = rules_->width, height = rules_->height;
    const size_t hands = image.slots.size(), stop = of.size() - 2 * hands;
    const auto [a, b, c, d] = image.map;
    auto mapped = [&](int point) {
        const int x = 2 * (point % width) - width + 1, y = 2 * (point / width) - height + 1;
        return std::pair((a * x + b * y + width - 1) / 2, (c * x + d * y + height - 1) / 2);
    };
    int right = 0, down = 0;
    if (!rules_->has_edges() && image.exchanges) {
        // The window follows the piece of the other side from now on.
        int met = 0;
        for (size_t at = 1; at < stop; at += PIECE) {
            if (piece_at(of, at) == rules_->anchor) ++met;
            if (piece_at(of, at) != (*rules_->anchor ^ 3)) continue;
            const auto [x, y] = mapped(point_at(of, at));
            right = width / 2 - x;
            down = height / 2 - y;
            ++met;
        }
        if (met < 2) return {};
    }
    std::vector<std::pair<int, int>> pieces;  // points and pieces
    for (size_t at = 1; at < stop; at += PIECE) {
        const auto [x, y] = mapped(point_at(of, at));
        if (x + right < 0 || x + right >= width || y + down < 0 || y + down >= height) return {};
        const int piece = piece_at(of, at), side = image.exchanges ? (piece & 3) ^ 3 : piece & 3;
        pieces.emplace_back((y + down) * width + x + right, image.kinds[size_t(piece >> 2)] << 2 | side);
    }
    std::ranges::sort(pieces);
    Key found(1, char(of[0] ^ image.exchanges));
    for (const auto& [point, piece] : pieces)
        for (int part : {point, piece & 0xFF, piece >> 8}) found += char(part);
    found.resize(of.size());
    for (size_t side : {0, 1})
        for (size_t slot = 0; slot < hands; ++slot)
            found[stop + (side ^ size_t(image.exchanges)) * hands + size_t(image.slots[slot])] =
                of[stop + side * hands + slot];
    return found;
}

std::optional<size_t> StrategyCheck::find(const Key& position) const {
    for (const Image& one : images_)
        if (const auto turned = image(one, position))
            if (const auto known = number_.find(*turned); known != number_.end()) return known->second;
    return {};
}

void StrategyCheck::add(const TablePosition& position, int plies, std::string move) {
    Key found = key(position);
    if (!number_.emplace(found, entries_.size()).second) throw std::invalid_argument("two entries for one position");
    entries_.push_back({std::move(found), plies, std::move(move)});
}

std::optional<StrategyCheck::Fault> StrategyCheck::run(int threads, const std::function<void(size_t)>& done,
                                                       const std::function<void()>& poll) const {
    std::optional<Fault> first;
    std::mutex mutex;
    run_parallel(
        threads, (entries_.size() + ENTRIES - 1) / ENTRIES,
        [&](size_t task) {
            const size_t stop = std::min(entries_.size(), (task + 1) * ENTRIES);
            for (size_t entry = task * ENTRIES; entry < stop; ++entry) {
                std::optional<std::string> what = fault(entries_[entry]);
                if (!what) continue;
                std::lock_guard lock(mutex);
                if (!first || entry < first->entry) first = {entry, std::move(*what)};
                return;
            }
        },
        done, poll);
    return first;
}

std::optional<std::string> StrategyCheck::fault(const Entry& entry) const {
    TablePosition position = set_up(entry.position);
    MoveList moves;
    position.legal_moves_generic(moves);
    const auto move = names_.find(moves, entry.move);
    if (move == moves.end()) return "the move " + entry.move + " is illegal";
    position.push(*move);
    const Key after = key(position);
    for (const Image& one : images_) {
        const auto from = image(one, entry.position), to = image(one, after);
        if (!from) continue;
        if (!to || !leads(*from, *to)) return "the move " + entry.move + " has no image";
        if (auto what = replies(*to, entry.plies)) return what;
    }
    return {};
}

bool StrategyCheck::leads(const Key& from, const Key& to) const {
    TablePosition position = set_up(from);
    MoveList moves;
    position.legal_moves_generic(moves);
    return std::ranges::any_of(moves, [&](Move move) {
        position.push(move);
        const bool found = key(position) == to;
        position.pop();
        return found;
    });
}

std::optional<std::string> StrategyCheck::replies(const Key& after, int plies) const {
    TablePosition position = set_up(after);
    const Side side = ~position.side_to_move();
    auto loses = [&] {
        const Outcome end = position.outcome_on_board();
        return end.end != End::NONE && end.winner != side;
    };
    if (loses() || (win_ && plies < 1)) return "the move loses, or wins later than is said";
    if (position.outcome_on_board().end != End::NONE) return {};
    MoveList moves;
    position.legal_moves_generic(moves);
    for (Move reply : moves) {
        position.push(reply);
        const std::string said = "after the reply " + names_.text(reply);
        if (loses()) return said + " the game is lost";
        if (position.outcome_on_board().end == End::NONE) {
            const auto number = find(key(position));
            if (!number) return said + " the position has no entry";
            if (const int limit = entries_[*number].plies; win_ && limit > plies - 2)
                return said + " it takes " + std::to_string(limit) + " plies: the distance does not fall";
        }
        position.pop();
    }
    return {};
}

}  // namespace komadai
