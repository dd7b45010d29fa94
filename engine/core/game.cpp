#include "game.hpp"

#include <algorithm>
#include <stdexcept>

#include "move_generation.hpp"
#include "notation.hpp"
#include "search.hpp"

namespace tabia {

namespace {

class Recorder {
  public:
    explicit Recorder(GameRecord& record) : record_(record) {}

    // Counts what `m`, not yet made, does with the right to promote.
    void before(Position& position, Move m) {
        const auto side = position.turn();
        record_.moves.push_back(position.move_text(m));
        if (m.promotes())
            ++record_.promotions[side][m.promotion()];
        else if (declines_promotion(position, m))
            ++record_.declined[side];
    }

  private:
    GameRecord& record_;

    static bool declines_promotion(Position& position, Move m) {
        const Piece piece = position.at(m.from());
        if (!position.rules().may_promote(piece) || !position.rules().promotion(piece, m.to()))
            return false;
        const auto moves = legal_moves(position);
        return std::any_of(moves.begin(), moves.end(), [&](Move other) {
            return other.promotes() && other.from() == m.from() && other.to() == m.to();
        });
    }
};

}  // namespace

GameRecord play_game(const GameSetup& setup) {
    GameRecord record;
    Recorder recorder(record);
    // The two players may weigh the pieces differently: each keeps its own copy of the position.
    std::array<std::unique_ptr<Position>, 2> boards;
    std::array<std::unique_ptr<Search>, 2> searches;
    for (const Colour side : {White, Black}) {
        boards[side] = std::make_unique<Position>(setup.rules, setup.rules->tables().start_fen,
                                                  setup.evaluators[side]->table());
        searches[side] =
            std::make_unique<Search>(*setup.evaluators[side], hash_entries_for(setup.nodes[side]));
    }
    Position& position = *boards[White];
    const auto play = [&](Move m) {
        recorder.before(position, m);
        for (auto& board : boards) board->make(m);
    };

    for (const auto& text : setup.opening) {
        if (outcome(position))
            throw std::invalid_argument("opening: the game is over before " + text);
        play(move_from_text(position, text));
    }
    auto ended = outcome(position);
    if (ended) throw std::invalid_argument("opening: it ends the game");
    while (!ended) {
        if (position.ply() >= setup.max_plies) {
            ended = Outcome{0, Reason::PlyCap};
            break;
        }
        const Colour side = position.turn();
        const SearchResult found = searches[side]->run(*boards[side], {.nodes = setup.nodes[side]});
        record.nodes += found.nodes;
        play(found.best);
        ended = outcome(position);
    }
    record.outcome = *ended;
    return record;
}

}  // namespace tabia
