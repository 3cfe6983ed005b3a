#include "environment.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "stream.hpp"

namespace komadai {
namespace {

// The positions before the present one that history shows, the last of them first. Takes the moves back.
template <int W>
std::vector<Frame> frames_before(const Encoding<W>& encoding, Position<W> position) {
    std::vector<Frame> found;
    for (int i = 1; i < encoding.tables().history && position.plies() > 0; ++i) {
        position.pop();
        found.push_back(encoding.frame(position.state(), position.earlier_occurrences()));
    }
    return found;
}

template <int W>
class Games final : public Batch {
 public:
    [[gnu::cold]] Games(std::shared_ptr<const Encoding<W>> encoding, const Position<W>& start, const Settings& settings)
        : encoding_(std::move(encoding)), start_(start), settings_(settings), crew_(settings.threads) {
        games_.resize(size_t(settings.games), Game(start));
        each([&](size_t i) { begin(games_[i], start_, ~uint64_t(0)); });
    }
    Games(const Games& other)
        : Batch(other),
          encoding_(other.encoding_),
          start_(other.start_),
          settings_(other.settings_),
          games_(other.games_),
          crew_(other.settings_.threads) {}

    [[nodiscard]] std::unique_ptr<Batch> clone() const override { return std::make_unique<Games>(*this); }

    int reset(const uint8_t* which, const std::vector<const AnyPosition*>& starts,
              std::optional<uint64_t> seed) override {
        for (size_t i = 0; i < starts.size(); ++i)
            if (which[i]) {
                Position<W> position = std::get<Position<W>>(*starts[i]);
                if (position.outcome().end != End::NONE) return int(i);
            }
        if (seed) settings_.seed = *seed;
        each([&](size_t i) {
            if (!which[i]) return;
            const uint64_t episode = seed ? 0 : games_[i].episode + 1;
            begin(games_[i], starts.empty() ? start_ : std::get<Position<W>>(*starts[i]), episode);
        });
        return -1;
    }

    void look(const StepArrays& out) override {
        each([&](size_t i) {
            write(i, out);
            report(i, out, 0, 0);
        });
    }

    void allow(const int8_t* declarations) override {
        if (encoding_->tables().declare < 0) return;
        for (Game& game : games_) {
            game.declaration = game.over || game.turn.begun() ? NO_DECLARATION : *declarations;
            ++declarations;
            mark_declaration(game);
        }
    }

    Refusal step(const int32_t* actions, bool turns, const StepArrays& out) override {
        for (size_t i = 0; i < games_.size(); ++i)
            if (const int code = refusal(games_[i], actions[i], turns); code >= 0) return {int(i), code, actions[i]};
        each([&](size_t i, size_t last) {
            fetch(games_[std::min(i + 2, last)]);
            fetch_lists(games_[std::min(i + 1, last)]);
            step(i, actions[i], turns, out);
        });
        return {};
    }

    void random_actions(int32_t* actions) override {
        for (size_t i = 0; i < games_.size(); ++i) actions[i] = random_action(i);
    }

    void count_turns(int64_t* counts) override {
        for (Game& game : games_) *counts++ = game.turn.begun() ? -1 : int64_t(turns_of(game));
    }
    void list_turns(uint64_t* words) override {
        for (Game& game : games_)
            for (const Move& move : moves_of(game)) {
                *words++ = move.code();
                *words++ = move.trail;
            }
    }
    [[nodiscard]] AnyPosition position(int game) const override { return games_.at(size_t(game)).position; }
    [[nodiscard]] ActionList taken(int game) const override { return games_.at(size_t(game)).turn.taken(); }

    [[nodiscard]] std::vector<uint64_t> save() const override {
        std::vector<uint64_t> words{FORMAT, settings_.seed, games_.size(), encoding_->planes(), encoding_->actions()};
        for (const Game& game : games_) save(game, words);
        words.push_back(checksum(words.data(), words.size()));
        return words;
    }

    void load(const std::vector<uint64_t>& words) override {
        constexpr size_t head = 5;
        if (words.size() <= head || words.back() != checksum(words.data(), words.size() - 1))
            throw std::invalid_argument("it is damaged, or of another machine");
        if (words[0] != FORMAT || words[2] != games_.size() || words[3] != encoding_->planes() ||
            words[4] != encoding_->actions())
            throw std::invalid_argument("it is of other environments");
        Reader reader{words.data() + head, words.data() + words.size() - 1};
        std::vector<Game> games;
        games.reserve(games_.size());
        for (size_t i = 0; i < games_.size(); ++i) games.push_back(load(reader));
        games_ = std::move(games);
        settings_.seed = words[1];
    }

 private:
    static constexpr uint64_t FORMAT = 0x6B6F6D61726C0001;

    // The keys of positions that were there, so that most new ones are known to be new at once.
    struct Keys {
        std::array<uint64_t, 64> words{};
        void add(uint64_t key) { words[key >> 58] |= uint64_t(1) << (key >> 52 & 63); }
        [[nodiscard]] bool may_have(uint64_t key) const { return words[key >> 58] >> (key >> 52 & 63) & 1; }
    };
    struct Game {
        explicit Game(const Position<W>& start) : position(start) {}

        Position<W> position;
        Turn<W> turn;
        std::vector<uint64_t> legal;  // bit set of actions
        std::vector<Frame> past;
        Keys keys;
        uint64_t episode = 0;
        int plies = 0, repeated = 0;
        int legal_count = 0;  // of actions that move
        int8_t declaration = NO_DECLARATION;
        bool check = false, over = false, truncated = false, declared = false;
        Outcome outcome;
    };
    struct Reader {
        const uint64_t *at, *end;
        uint64_t next() {
            if (at == end) throw std::invalid_argument("it ends too early");
            return *at++;
        }
    };

    // Calls visit(number) or visit(number, last of the thread's own) for every game, in the threads.
    template <class Visit>
    void each(Visit visit) {
        const size_t all = games_.size(), members = size_t(crew_.size());
        crew_.run([&](int member) {
            const size_t end = all * (size_t(member) + 1) / members;
            for (size_t i = all * size_t(member) / members; i < end; ++i) {
                if constexpr (std::is_invocable_v<Visit, size_t, size_t>)
                    visit(i, end - 1);
                else
                    visit(i);
            }
        });
    }

    // The games of a large batch are in no near cache: what a step needs of the next one is fetched while one is
    // played. Those of another thread may be changing meanwhile and are left to it.
    static void fetch(const void* from, size_t bytes) {
        const char* const first = static_cast<const char*>(from) - reinterpret_cast<uintptr_t>(from) % 64;
        for (const char* at = first; at < static_cast<const char*>(from) + bytes; at += 64) __builtin_prefetch(at);
    }
    static void fetch(const Game& game) { fetch(&game, sizeof(Game)); }
    static void fetch_lists(const Game& game) {
        const State<W>& s = game.position.state();
        fetch(s.board.data(), s.board.size() * sizeof(Piece));
        fetch(s.parts.data(), s.parts.size() * sizeof(s.parts[0]));
        fetch(s.played.data() + s.played.size(), sizeof(s.played[0]));
        fetch(game.legal.data(), game.legal.size() * sizeof(uint64_t));
    }

    // --- Playing ---

    void begin(Game& game, const Position<W>& start, uint64_t episode) {
        game.position = start;
        game.past = frames_before(*encoding_, start);
        game.keys = {};
        for (size_t ply = 0; ply < start.plies(); ++ply) game.keys.add(start.past_key(ply));
        game.episode = episode;
        game.plies = 0;
        settle(game);
    }

    void play(Game& game, Move move) {
        if (encoding_->tables().history > 1) {
            game.past.insert(game.past.begin(), encoding_->frame(game.position.state(), game.repeated));
            game.past.resize(std::min(game.past.size(), size_t(encoding_->tables().history) - 1));
        }
        game.keys.add(game.position.key());
        if (rules().perpetual_check_loses)
            game.position.push_noting_check(move);
        else
            game.position.push(move);
        ++game.plies;
        settle(game);
    }

    // Finds out what there is to know of a new position.
    void settle(Game& game) {
        Position<W>& position = game.position;
        game.repeated = game.keys.may_have(position.key()) ? position.earlier_occurrences() : 0;
        game.check = in_check(game);
        begin_turn(game);
        game.outcome = position.outcome_on_board();
        if (game.outcome.end == End::NONE)
            game.outcome = game.legal_count == 0                     ? position.outcome_without_moves()
                           : game.repeated + 1 >= rules().repetition ? position.repetition(rules().repetition)
                                                                     : Outcome{};
        game.over = game.outcome.end != End::NONE;
        game.declared = false;
        game.declaration = NO_DECLARATION;
        game.truncated = !game.over && game.plies >= settings_.max_plies;
        game.over |= game.truncated;
        if (game.over) forbid_all(game);
    }

    // Ends the game by a declaration of the side to move.
    void declare(Game& game, int winner) {
        game.outcome.winner = winner;
        game.over = game.declared = true;
        game.declaration = NO_DECLARATION;
        forbid_all(game);
    }
    [[nodiscard]] bool is_declaration(int32_t action, bool turns) const {
        const int declare = encoding_->tables().declare;
        return declare >= 0 && action == (turns ? -1 : declare);
    }
    void mark_declaration(Game& game) const {
        const auto action = size_t(encoding_->tables().declare);
        const uint64_t bit = uint64_t(1) << action % 64;
        game.legal[action / 64] &= ~bit;
        if (game.declaration != NO_DECLARATION) game.legal[action / 64] |= bit;
    }
    [[nodiscard]] static int actions_of(const Game& game) {
        return game.legal_count + int(game.declaration != NO_DECLARATION);
    }

    // Flat actions need no list of moves: what is legal is known as sets of points.
    void begin_turn(Game& game) {
        if (encoding_->tables().steps) {
            game.turn.begin(*encoding_, game.position);
            return mark_legal(game);
        }
        game.legal.assign((encoding_->actions() + 63) / 64, 0);
        game.legal_count = encoding_->mark_flat(game.position, game.legal);
    }
    void forbid_all(Game& game) {
        game.turn.actions.clear();
        mark_legal(game);
    }
    // The legal moves at the start of a turn.
    [[nodiscard]] MoveList moves_of(Game& game) const {
        MoveList moves;
        if (game.legal_count > 0) game.position.legal_moves(moves);
        return moves;
    }

    // What was noted of the move that led here tells it, except where a game may be survived in several ways.
    [[nodiscard]] bool in_check(Game& game) {
        Position<W>& position = game.position;
        const bool noted =
            rules().perpetual_check_loses && position.plies() > 0 &&
            (rules().survives_if.empty()
                 ? !rules().is_compound
                 : rules().is_compound && ways_to_survive(position.state(), position.side_to_move()) == 1);
        return noted ? position.last_gave_check() : position.in_check(position.side_to_move());
    }

    void mark_legal(Game& game) {
        game.legal.assign((encoding_->actions() + 63) / 64, 0);
        game.legal_count = int(game.turn.actions.size());
        for (const ActionId action : game.turn.actions) game.legal[action / 64] |= uint64_t(1) << action % 64;
    }

    // How many they are.
    [[nodiscard]] size_t turns_of(Game& game) const {
        const bool counted = game.legal_count == 0 || !encoding_->tables().steps;
        return counted ? size_t(game.legal_count) : size_t(game.position.count_legal_moves());
    }

    // Why an action cannot be taken, as in Refusal; -1: it can.
    [[nodiscard]] int refusal(Game& game, int32_t action, bool turns) const {
        if (game.over) return -1;
        if (turns && game.turn.begun()) return 1;
        if (is_declaration(action, turns)) return game.declaration == NO_DECLARATION ? 0 : -1;
        const size_t most = turns ? turns_of(game) : encoding_->actions();
        if (action < 0 || size_t(action) >= most) return 0;
        return turns || game.legal[size_t(action) / 64] >> action % 64 & 1 ? -1 : 0;
    }

    void step(size_t i, int32_t action, bool turns, const StepArrays& out) {
        Game& game = games_[i];
        if (game.over) {
            if (settings_.autoreset != Autoreset::DISABLED) begin(game, start_, game.episode + 1);
            write(i, out);
            return report(i, out, 0, 0);
        }
        const Side actor = game.position.side_to_move();
        if (is_declaration(action, turns))
            declare(game, game.declaration);
        else if (const auto move = turns ? moves_of(game)[size_t(action)]
                                         : game.turn.take(*encoding_, game.position, ActionId(action)))
            play(game, *move);
        else {
            game.declaration = NO_DECLARATION;
            mark_legal(game);
        }
        const int winner = game.outcome.winner;
        const float reward = game.over && winner >= 0 ? (winner == actor ? 1.0F : -1.0F) : 0.0F;
        const bool ended = game.over && !game.truncated;
        const bool anew = game.over && settings_.autoreset == Autoreset::SAME_STEP;  // what is seen is another game
        report(i, out, reward, ended || anew ? 0 : game.position.side_to_move() == actor ? 1 : -1);
        if (anew) {
            write_last(i, out);
            begin(game, start_, game.episode + 1);
        }
        write(i, out);
    }

    [[nodiscard]] int32_t random_action(size_t i) const {
        const Game& game = games_[i];
        if (game.over || actions_of(game) == 0) return 0;
        const uint64_t turn = uint64_t(game.plies) << 16 | game.turn.taken().size();
        const uint64_t random = mix(mix(mix(mix(settings_.seed) ^ i) ^ game.episode) ^ turn);
        uint64_t left = (random >> 32) * uint64_t(actions_of(game)) >> 32;
        for (size_t word = 0;; ++word) {
            const auto here = uint64_t(std::popcount(game.legal[word]));
            if (left >= here) {
                left -= here;
                continue;
            }
            uint64_t bits = game.legal[word];
            for (; left > 0; --left) bits &= bits - 1;
            return int32_t(word * 64 + size_t(std::countr_zero(bits)));
        }
    }

    // --- Writing ---

    void write(size_t i, const StepArrays& out) const {
        const Game& game = games_[i];
        observe(game, out.observations + i * encoding_->planes() * encoding_->cells());
        mask(game, out.masks + i * encoding_->actions());
        out.to_play[i] = int8_t(game.position.side_to_move());
        out.plies[i] = game.plies;
        out.legal_counts[i] = game.legal_count;
    }
    void write_last(size_t i, const StepArrays& out) const {
        const Game& game = games_[i];
        observe(game, out.final_observations + i * encoding_->planes() * encoding_->cells());
        mask(game, out.final_masks + i * encoding_->actions());
        out.final_to_play[i] = int8_t(game.position.side_to_move());
        out.final_plies[i] = game.plies;
        out.final_legal_counts[i] = game.legal_count;
    }
    // Whether the game has ended, and how.
    void report(size_t i, const StepArrays& out, float reward, int discount) const {
        const Game& game = games_[i];
        out.rewards[i] = reward;
        out.discounts[i] = int8_t(discount);
        out.terminated[i] = game.over && !game.truncated;
        out.truncated[i] = game.truncated;
        out.results[i] = game.truncated ? CAPPED : game.declared ? DECLARED : uint8_t(game.outcome.end);
        out.winners[i] = int8_t(game.outcome.winner);
    }
    void observe(const Game& game, uint8_t* planes) const {
        const size_t bytes = encoding_->planes() * encoding_->cells();
        const auto paint = [&](uint8_t* to, uint8_t on) {
            encoding_->paint(game.position.state(), game.repeated, game.check,
                             encoding_->tables().steps ? &game.turn.progress : nullptr, game.past, to, on);
        };
        if (games_.size() * bytes < STREAMED) {
            std::memset(planes, 0, bytes);
            return paint(planes, 1);
        }
        static thread_local std::vector<uint8_t> canvas;  // zeros
        if (canvas.size() < bytes) canvas.resize(bytes);
        paint(canvas.data(), 1);
        stream(planes, canvas.data(), bytes);
        paint(canvas.data(), 0);
    }
    void mask(const Game& game, uint8_t* mask) const {
        const size_t whole = encoding_->actions() / 64, rest = encoding_->actions() % 64;
        for (size_t word = 0; word < whole; ++word) spread(game.legal[word], mask + 64 * word);
        if (rest == 0) return;
        std::array<uint8_t, 64> last;
        spread(game.legal[whole], last.data());
        std::memcpy(mask + 64 * whole, last.data(), rest);
    }
    // Writes the bits of a word as 64 bytes, eight at once.
    static void spread(uint64_t bits, uint8_t* bytes) {
        if (!bits) {
            std::memset(bytes, 0, 64);
            return;
        }
        for (size_t i = 0; i < 8; ++i) std::memcpy(bytes + 8 * i, BYTES_OF[bits >> 8 * i & 0xFF].data(), 8);
    }
    static constexpr auto BYTES_OF = [] {
        std::array<std::array<uint8_t, 8>, 256> found{};
        for (size_t bits = 0; bits < 256; ++bits)
            for (size_t i = 0; i < 8; ++i) found[bits][i] = bits >> i & 1;
        return found;
    }();

    // --- Keeping ---

    [[nodiscard]] static uint64_t checksum(const uint64_t* words, size_t count) {
        uint64_t sum = 0;
        for (size_t i = 0; i < count; ++i) sum = mix(sum ^ words[i]);
        return sum;
    }

    void save(const Game& game, std::vector<uint64_t>& words) const {
        Position<W> start = game.position;
        while (start.plies() > 0) start.pop();
        const Point taken_on = start.state().taken_on;
        words.insert(words.end(), {game.episode, uint64_t(game.plies), uint64_t(start.side_to_move()),
                                   taken_on == NO_POINT ? 0 : uint64_t(taken_on) + 1});
        for (const Cell cell : rules().cell_of) words.push_back(start.at(cell));
        for (const Side side : {BLACK, WHITE})
            for (int slot = 0; slot < rules().hands(); ++slot) words.push_back(uint64_t(start.in_hand(side, slot)));
        const auto& played = game.position.state().played;
        words.push_back(played.size());
        for (const auto& one : played) words.insert(words.end(), {one.move.code(), one.move.trail});
        if (game.declared) {  // as the only action of the turn, with the winner above it
            const auto winner = uint64_t(game.outcome.winner + 1);
            words.insert(words.end(), {1, winner << 32 | uint64_t(encoding_->tables().declare)});
            return;
        }
        words.push_back(game.turn.taken().size());
        words.insert(words.end(), game.turn.taken().begin(), game.turn.taken().end());
    }

    [[nodiscard]] Game load(Reader& from) {
        const uint64_t episode = from.next(), plies = from.next();
        PositionTable table{int(from.next() & 1), {}, {}, {}};
        if (const uint64_t taken_on = from.next()) table.taken_on = int((taken_on - 1) & 0xFFFF);
        for (size_t i = 0; i < encoding_->cells(); ++i) table.board.push_back(int(from.next() & 0xFFFF));
        for (auto& hand : table.hands)
            for (int slot = 0; slot < rules().hands(); ++slot) hand.push_back(int(from.next() & 0xFF));
        AnyPosition made = make_position(AnyRules(encoding_->shared_rules()), table);
        Position<W>& position = std::get<Position<W>>(made);
        const uint64_t moves = from.next();
        if (plies > moves) throw std::invalid_argument("it has fewer moves than plies");
        MoveList legal;
        for (uint64_t i = 0; i < moves; ++i) {
            const uint64_t code = from.next(), trail = from.next();
            const Move move = Move::from_code(code, trail);
            legal.clear();
            position.legal_moves(legal);
            if (std::ranges::find(legal, move) == legal.end()) throw std::invalid_argument("it has an illegal move");
            position.push_noting_check(move);
        }
        Game game(position);
        begin(game, position, episode);
        game.plies = int(plies);
        settle(game);
        for (uint64_t left = from.next(); left > 0; --left) {
            const uint64_t word = from.next();
            const auto action = ActionId(word);
            if (is_declaration(int32_t(action), false) && word >> 32 <= 2 && !game.over) {
                declare(game, int(word >> 32) - 1);
                continue;
            }
            if (word >> 32 || !encoding_->tables().steps ||
                std::ranges::find(game.turn.actions, action) == game.turn.actions.end() ||
                game.turn.take(*encoding_, game.position, action))
                throw std::invalid_argument("it has an illegal action");
            mark_legal(game);
        }
        return game;
    }

    [[nodiscard]] const Rules<W>& rules() const { return encoding_->rules(); }

    std::shared_ptr<const Encoding<W>> encoding_;
    Position<W> start_;
    Settings settings_;
    std::vector<Game> games_;
    Crew crew_;
};

}  // namespace

template <int W>
std::unique_ptr<Batch> Environments<W>::make(std::shared_ptr<const Encoding<W>> encoding, const Position<W>& start,
                                             const Batch::Settings& settings) {
    return std::make_unique<Games<W>>(std::move(encoding), start, settings);
}

template <int W>
Turn<W> Environments<W>::look(const Encoding<W>& encoding, const Position<W>& position, const ActionList& taken,
                              uint8_t* planes) {
    Position<W> copy = position;
    Turn<W> turn;
    turn.begin(encoding, copy);
    for (const ActionId action : taken)
        if (std::ranges::find(turn.actions, action) == turn.actions.end() || turn.take(encoding, copy, action))
            throw std::invalid_argument("an action of the turn cannot be taken");
    if (planes) {
        std::memset(planes, 0, encoding.planes() * encoding.cells());
        encoding.paint(copy.state(), copy.earlier_occurrences(), copy.in_check(copy.side_to_move()),
                       encoding.tables().steps ? &turn.progress : nullptr, frames_before(encoding, copy), planes);
    }
    return turn;
}

KOMADAI_FOR_EACH_SIZE(struct Environments)

}  // namespace komadai
