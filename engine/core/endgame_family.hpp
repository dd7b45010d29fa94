// An ending with all those that captures and promotions lead to: each is solved after the ones it
// leads to.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "endgame.hpp"

namespace tabia {

class EndgameFamily {
  public:
    // `men`: White's royal man, Black's, then the others. std::invalid_argument says what cannot be
    // solved: too many men, a decisive repetition, e.p., men that promote into each other.
    EndgameFamily(std::shared_ptr<const Rules> rules, std::vector<Piece> men);

    // Smallest first; the ending that was asked for is the last.
    const std::vector<Material>& materials() const { return order_; }
    std::uint64_t placements() const;  // of all, as stored
    std::uint64_t bytes() const;

    void solve(const Endgame::Pulse& pulse);
    const Endgame& asked() const { return *endgames_.at(order_.back()); }
    // The ending of that material, if it is one of these.
    const Endgame* find(const Material& material) const;

  private:
    enum class Seen { OnTheWay, Done };

    std::shared_ptr<const Rules> rules_;
    std::vector<Material> order_;
    std::map<Material, std::unique_ptr<Endgame>> endgames_;
    std::map<Material, std::vector<Conversion>> conversions_;

    void refuse_unsolved_rules(const Material& material) const;
    void visit(const Material& material, std::map<Material, Seen>& seen);
};

}  // namespace tabia
