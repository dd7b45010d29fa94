#include "endgame.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tabia {

Endgame::Endgame(const Rules& rules, Material material, std::vector<BoardMap> maps)
    : rules_(rules),
      material_(std::move(material)),
      maps_(std::move(maps)),
      count_(static_cast<int>(material_.men.size())) {
    const auto add = [&](Square s) {
        number_[s] = static_cast<std::uint8_t>(squares_.size());
        squares_.push_back(s);
    };
    rules_.board().for_each(add);
    rules_.citadels().for_each(add);
    for (const Piece piece : material_.men) {
        ways_.emplace_back(rules_, piece);
        Man man{piece, standing_squares(rules_, piece), {}, {}, false};
        for (const Square s : squares_) {
            man.promotions[s] = promotions_at(rules_, material_, piece, s);
            man.promotes = man.promotes || !man.promotions[s].empty();
            if (must_change_at(rules_, material_, piece, s)) man.must_change.add(s);
        }
        men_.push_back(std::move(man));
    }
    for (int i = 3; i < count_; ++i)
        has_twins_ = has_twins_ || material_.men[slot(i)] == material_.men[slot(i - 1)];
    for (const Square s : squares_) {
        Square kept = s;
        for (const auto& map : maps_)
            if (number_[map[s]] < number_[kept]) kept = map[s];
        if (kept == s) {
            kept_number_[s] = static_cast<std::uint8_t>(kept_.size());
            kept_.push_back(s);
        }
        for (const auto& map : maps_)
            if (map[s] == kept) to_kept_[s].push_back(&map);
        kept_number_[s] = kept_number_[kept];
    }
    placements_ = kept_.size();
    for (int i = 1; i < count_; ++i) placements_ *= squares_.size();
}

// The number under which a placement is stored: the least of those of its images.
Endgame::Index Endgame::place(const FewMen& men) const {
    Index least = ~Index{0};
    const auto& maps = to_kept_[men.square(0)];
    const Index first = kept_number_[men.square(0)];
    for (const BoardMap* map : maps) {
        std::array<std::uint8_t, kMostMen> numbers{};
        for (int i = 1; i < count_; ++i) numbers[slot(i)] = number_[(*map)[men.square(i)]];
        if (has_twins_)
            for (int i = 3; i < count_; ++i)
                for (int k = i; k > 2 && material_.men[slot(k)] == material_.men[slot(k - 1)] &&
                                numbers[slot(k)] < numbers[slot(k - 1)];
                     --k)
                    std::swap(numbers[slot(k)], numbers[slot(k - 1)]);
        Index place = first;
        for (int i = 1; i < count_; ++i) place = place * squares_.size() + numbers[slot(i)];
        least = std::min(least, place);
    }
    return least;
}

FewMen Endgame::no_men() const {
    FewMen men;
    for (const Piece p : material_.men) men.add(p);
    return men;
}

void Endgame::set_up(FewMen& men, Index placement) const {
    for (int i = 0; i < count_; ++i)
        if (!men.is_lifted(i)) men.lift(i);
    for (int i = count_ - 1; i > 0; --i) {
        men.place(i, squares_[placement % squares_.size()]);
        placement /= squares_.size();
    }
    men.place(0, kept_[placement]);
}

unsigned Endgame::images(const FewMen& men) const {
    const auto& maps = to_kept_[men.square(0)];
    const auto all = static_cast<unsigned>(maps_.size());
    if (maps.size() == 1) return all;
    const auto standing = [&](const BoardMap* map) {
        std::vector<std::pair<Piece, Square>> found;
        for (int i = 0; i < count_; ++i)
            found.emplace_back(men.man(i), map ? (*map)[men.square(i)] : men.square(i));
        std::sort(found.begin(), found.end());
        return found;
    };
    const auto here = standing(nullptr);
    return all /
           static_cast<unsigned>(std::count_if(maps.begin(), maps.end(), [&](const BoardMap* map) {
               return standing(map) == here;
           }));
}

// Visits every stored placement once: visit(men, placement).
template <class Visit>
void Endgame::for_each_placement(Visit&& visit) const {
    FewMen men = no_men();
    const auto add = [&](auto&& self, int i, Index so_far) -> void {
        if (i == count_) {
            if (to_kept_[men.square(0)].size() == 1 || place(men) == so_far) visit(men, so_far);
            return;
        }
        const bool twin = i > 2 && men.man(i) == men.man(i - 1);
        for (std::size_t number = twin ? number_[men.square(i - 1)] + 1u : 0u;
             number < squares_.size(); ++number) {
            const Square s = squares_[number];
            if (men.at(s) != kEmpty || !men_[slot(i)].squares.has(s)) continue;
            men.place(i, s);
            self(self, i + 1, so_far * squares_.size() + number);
            men.lift(i);
        }
    };
    for (const Square s : kept_) {
        if (!men_[0].squares.has(s)) continue;
        men.place(0, s);
        add(add, 1, kept_number_[s]);
        men.lift(0);
    }
}

bool Endgame::attacked(const FewMen& men, Square s, Colour by) const {
    for (int i = 0; i < count_; ++i)
        if (colour(i) == by && !men.is_lifted(i) &&
            ways(i).takes(men.square(i), s, rules_.royal_type(opposite(by)), men))
            return true;
    return false;
}

// Makes the move, calls visit() if it is legal, and takes it back; what visit() returned.
template <class Visit>
bool Endgame::with_move(FewMen& men, int mover, Square to, int captured, Piece becomes,
                        Visit&& visit) const {
    const Square from = men.square(mover);
    const Piece piece = men.man(mover);
    if (captured >= 0) men.lift(captured);
    men.lift(mover);
    if (becomes != kEmpty) men.become(mover, becomes);
    men.place(mover, to);
    const bool answer = !in_check(men, colour_of(piece)) && visit();
    men.lift(mover);
    men.become(mover, piece);
    men.place(mover, from);
    if (captured >= 0) men.place(captured, to);
    return answer;
}

// Calls visit() after each legal move that keeps the material, until it returns true.
template <class Visit>
bool Endgame::any_quiet_move(FewMen& men, Colour side, Visit&& visit) const {
    for (int i = 0; i < count_; ++i) {
        if (colour(i) != side) continue;
        const SquareSet& must_change = men_[slot(i)].must_change;
        const bool found = ways(i).from(men.square(i), men, [&](Square to, const WayEnd& end) {
            return end.quiet && men.at(to) == kEmpty && !must_change.has(to) &&
                   with_move(men, i, to, -1, kEmpty, visit);
        });
        if (found) return true;
    }
    return false;
}

// Calls visit() with each placement from which a move of `side` that keeps the material may have
// led to this one.
template <class Visit>
void Endgame::for_each_origin(FewMen& men, Colour side, Visit&& visit) const {
    for (int i = 0; i < count_; ++i) {
        if (colour(i) != side) continue;
        const Square to = men.square(i);
        if (men_[slot(i)].must_change.has(to)) continue;
        men.lift(i);
        const SquareSet& squares = men_[slot(i)].squares;
        std::array<Square, kSquares> origins{};
        std::size_t count = 0;
        const FewMen& others = men;
        ways(i).into(to, others, [&](Square from, const WayEnd& end) {
            if (end.quiet && others.at(from) == kEmpty && squares.has(from) &&
                (count == 0 || origins[count - 1] != from) && count < origins.size())
                origins[count++] = from;
            return false;
        });
        for (std::size_t k = 0; k < count; ++k) {
            men.place(i, origins[k]);
            visit();
            men.lift(i);
        }
        men.place(i, to);
    }
}

// Calls visit(exit, captures) after each legal move that changes the material.
template <class Visit>
void Endgame::for_each_exit(FewMen& men, Colour side, Visit&& visit) const {
    for (int i = 0; i < count_; ++i) {
        if (colour(i) != side) continue;
        const Man& man = men_[slot(i)];
        const auto exit_to = [&](Square to, int captured) {
            const auto leave = [&](Piece becomes) {
                with_move(men, i, to, captured, becomes, [&] {
                    const auto number = exit_numbers_[exit_key({i, captured, becomes})];
                    visit(exits_[static_cast<std::size_t>(number)],
                          captured >= 0 && colour(captured) != side);
                    return true;
                });
            };
            for (const Piece becomes : man.promotions[to]) leave(becomes);
            if (captured >= 0 && !man.must_change.has(to)) leave(kEmpty);
        };
        for (int k = 2; k < count_; ++k)
            if (colour(k) != side &&
                ways(i).takes(men.square(i), men.square(k), type_of(men.man(k)), men))
                exit_to(men.square(k), k);
        if (!man.promotes && !ways(i).takes_own()) continue;
        std::array<Square, kSquares> targets{};
        std::size_t count = 0;
        ways(i).from(men.square(i), men, [&](Square to, const WayEnd& end) {
            const Piece target = men.at(to);
            const bool own = target != kEmpty && colour_of(target) == side && end.own &&
                             contains(end.victims, type_of(target)) && !rules_.is_royal(target);
            const bool promotes = target == kEmpty && end.quiet && !man.promotions[to].empty();
            if ((own || promotes) && count < targets.size()) targets[count++] = to;
            return false;
        });
        for (std::size_t k = 0; k < count; ++k)
            exit_to(targets[k], men.at(targets[k]) == kEmpty ? -1 : men.index_at(targets[k]));
    }
}

// What the position is worth that an exit has led to, `turn` to move there.
Endgame::Value Endgame::worth(Colour turn, const FewMen& men, const Exit& exit) const {
    FewMen there = exit.to->no_men();
    for (int i = 0; i < exit.to->count_; ++i) there.place(i, men.square(exit.sources[slot(i)]));
    return exit.to->values_[exit.to->index(turn, there)];
}

Endgame::Exits Endgame::exits(FewMen& men, Colour side) const {
    Exits found;
    for_each_exit(men, side, [&](const Exit& exit, bool captures) {
        found.any = true;
        found.captures = found.captures || captures;
        const Value value = worth(opposite(side), men, exit);
        const int plies = (value & kPlies) + 1;
        if (!(value & kDecided))
            found.draws = true;
        else if (value & kWin)
            found.loss = std::max(found.loss, plies);
        else
            found.win = found.win < 0 ? plies : std::min(found.win, plies);
    });
    return found;
}

int Endgame::fighting_men(const FewMen& men, Colour side) const {
    int fighting = 0;
    for (int i = 2; i < count_; ++i)
        fighting += colour(i) == side && !(rules_.tables().bare_ignores_citadels &&
                                           rules_.citadels().has(men.square(i)));
    return fighting;
}

// What the side to move gets by the bare king rule; as bare_outcome() of whole games has it.
std::optional<GameResult> Endgame::bare(const FewMen& men, Colour side, const Exits& exits) const {
    const auto& tables = rules_.tables();
    if (tables.bare == Bare::None) return std::nullopt;
    const int ours = fighting_men(men, side), theirs = fighting_men(men, opposite(side));
    if (ours && theirs) return std::nullopt;
    if (tables.bare == Bare::Draw || (!ours && !theirs)) return GameResult::Draw;
    if (!ours && tables.bare_answer && theirs == 1 && exits.captures) return std::nullopt;
    return ours ? GameResult::Win : GameResult::Loss;
}

std::optional<Endgame::End> Endgame::end(FewMen& men, Colour side, const Exits& exits) const {
    const bool stuck = !exits.any && !any_quiet_move(men, side, [] { return true; });
    if (stuck && in_check(men, side)) return End{Reason::Checkmate, GameResult::Loss};
    if (const auto result = bare(men, side, exits)) return End{Reason::BareKing, *result};
    if (stuck) return End{Reason::Stalemate, rules_.tables().sides[side].stalemate};
    return std::nullopt;
}

Endgame::Value Endgame::won_in(int plies) const {
    if (plies > kPlies) throw std::length_error("a win takes more than 16383 plies");
    return static_cast<Value>(kDecided | kWin | plies);
}

Endgame::Value Endgame::lost_in(int plies) const {
    return static_cast<Value>(won_in(plies) & ~kWin);
}

// What the moves that change the material, and the rules that end games, say of a position.
Endgame::Value Endgame::first_value(FewMen& men, Colour side) const {
    const Exits found = exits(men, side);
    if (const auto over = end(men, side, found)) switch (over->result) {
            case GameResult::Loss:
                return lost_in(0);
            case GameResult::Win:
                return won_in(0);
            case GameResult::Draw:
                return kOver;
        }
    if (found.win >= 0) return won_in(found.win);
    if (found.draws) return kCannotLose;
    if (found.any && !any_quiet_move(men, side, [] { return true; })) return lost_in(found.loss);
    return kUntouched;
}

// Sets an undecided position, or one decided later than this.
void Endgame::set(Index position, Value value) {
    values_[position] = value;
    last_ = std::max(last_, value & kPlies);
}

// How many moves that keep the material lead to different positions, as stored.
std::size_t Endgame::count_moves(FewMen& men, Colour side) {
    reached_.clear();
    any_quiet_move(men, side, [&] {
        reached_.push_back(place(men));
        return false;
    });
    std::sort(reached_.begin(), reached_.end());
    return static_cast<std::size_t>(std::unique(reached_.begin(), reached_.end()) -
                                    reached_.begin());
}

// One more move of this position is known to lose, in so many plies from there.
void Endgame::refute(Index position, int plies) {
    const Value value = values_[position];
    if ((value & kDecided) || value >= kCannotLose) return;
    const Colour side = position < placements_ ? White : Black;
    FewMen men = no_men();
    std::size_t left = value;
    if (value == kUntouched || value == kOneMove) set_up(men, position % placements_);
    if (value == kUntouched) left = count_moves(men, side);
    if (--left > 0) {
        if (left > kMostLeft) throw std::length_error("a position has more than 16000 moves");
        values_[position] = static_cast<Value>(left);
        return;
    }
    set(position, lost_in(std::max(plies + 1, exits(men, side).loss)));
}

// Hands on what is decided in so many plies to the positions before.
void Endgame::hand_on(int plies) {
    FewMen men = no_men();
    std::vector<Index> before;
    for (Index position = 0; position < values_.size(); ++position) {
        const Value value = values_[position];
        if ((value & ~kWin) != (kDecided | plies)) continue;
        const Colour turn = position < placements_ ? White : Black, mover = opposite(turn);
        set_up(men, position % placements_);
        before.clear();
        for_each_origin(men, mover, [&] { before.push_back(index(mover, men)); });
        if (value & kWin) {
            // Images of one another are one position: two ways back to it are one.
            std::sort(before.begin(), before.end());
            before.erase(std::unique(before.begin(), before.end()), before.end());
            for (const Index origin : before) refute(origin, plies);
            continue;
        }
        for (const Index origin : before) {
            const Value known = values_[origin];
            const bool later = (known & kDecided) && (known & kWin) && (known & kPlies) > plies + 1;
            if (later || (!(known & kDecided) && known < kOver)) set(origin, won_in(plies + 1));
        }
    }
}

void Endgame::solve(std::vector<Exit> exits, const Pulse& pulse) {
    exits_ = std::move(exits);
    exit_numbers_.assign(slot(count_) * (slot(count_) + 1) * kPieces, -1);
    for (std::size_t i = 0; i < exits_.size(); ++i)
        exit_numbers_[exit_key(exits_[i].conversion)] = static_cast<std::int16_t>(i);
    values_.assign(2 * placements_, kNone);
    constexpr Index kBetweenPulses = 1 << 18;
    Index visited = 0;
    for_each_placement([&](FewMen& men, Index placement) {
        if (++visited % kBetweenPulses == 0) pulse();
        for (const Colour side : {White, Black}) {
            if (in_check(men, opposite(side))) continue;  // no legal position
            const Value value = first_value(men, side);
            const Index position = side * placements_ + placement;
            if (value & kDecided)
                set(position, value);
            else
                values_[position] = value;
        }
    });
    for (int plies = 0; plies <= last_; ++plies) {
        pulse();
        hand_on(plies);
    }
}

std::optional<Solved> Endgame::probe(Colour turn, const std::vector<Square>& squares) const {
    FewMen men = no_men();
    for (int i = 0; i < count_; ++i) {
        const Square s = squares[slot(i)];
        if (men.at(s) != kEmpty || !men_[slot(i)].squares.has(s)) return std::nullopt;
        men.place(i, s);
    }
    const Value value = values_[index(turn, men)];
    if (value == kNone) return std::nullopt;
    if (!(value & kDecided)) return Solved{};
    return Solved{value & kWin ? GameResult::Win : GameResult::Loss, value & kPlies};
}

Statistics Endgame::statistics() const {
    Statistics found;
    std::vector<int> bound;
    for (int i = 2; i < count_; ++i)
        if (keeps_colour(rules_, material_.men[slot(i)])) bound.push_back(i);
    found.has_colours = bound.size() == 2;
    const auto parity = [](Square s) { return (file_of(s) + rank_of(s)) & 1; };
    for_each_placement([&](FewMen& men, Index placement) {
        const std::size_t kind =
            found.has_colours && parity(men.square(bound[0])) != parity(men.square(bound[1]));
        const unsigned weight = images(men);
        for (const Colour side : {White, Black}) {
            const Value value = values_[side * placements_ + placement];
            if (value == kNone) continue;
            auto& counts = found.counts[kind][side];
            counts.positions += weight;
            const int plies = value & kPlies;
            if (value & kDecided) {
                const Colour winner = value & kWin ? side : opposite(side);
                (winner == White ? counts.white_wins : counts.black_wins) += weight;
                auto& longest = found.longest[kind][winner];
                if (plies > longest.plies) {
                    longest = {plies, side, {}};
                    for (int i = 0; i < count_; ++i) longest.squares.push_back(men.square(i));
                }
            }
            if (value != kOver && !((value & kDecided) && plies == 0)) continue;
            switch (end(men, side, exits(men, side))->reason) {
                case Reason::Checkmate:
                    counts.mates += weight;
                    break;
                case Reason::Stalemate:
                    counts.stalemates += weight;
                    break;
                default:
                    counts.bare += weight;
            }
        }
    });
    return found;
}

std::string Endgame::fen(Colour turn, const std::vector<Square>& squares) const {
    std::string text;
    for (int rank = rules_.tables().ranks - 1; rank >= 0; --rank) {
        int blank = 0;
        const auto flush = [&] {
            if (blank) text += std::to_string(blank);
            blank = 0;
        };
        for (int file = 0; file < rules_.tables().files; ++file) {
            const auto man = std::find(squares.begin(), squares.end(), square_at(file, rank));
            if (man == squares.end()) {
                ++blank;
                continue;
            }
            flush();
            text += rules_.letter(material_.men[static_cast<std::size_t>(man - squares.begin())]);
        }
        flush();
        if (rank) text += '/';
    }
    return text + (turn == White ? " w - - 0 1" : " b - - 0 1");
}

}  // namespace tabia
