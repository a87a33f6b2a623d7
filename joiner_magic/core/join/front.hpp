// Which of many things no other one dominates.
#pragma once

#include <optional>

#include "../bits.hpp"

namespace joiner {

// Things with a cost and a merit, a set of things they are good for: one dominates another if its merit
// contains the other's and it costs no more. Append-only; what later ones dominate stays.
//
// A thing is first compared with what dominated the last one of the same hash: most have the merit of one
// before. Otherwise the rarest members of its merit name the few that could dominate it: for
// each member there is a column of bits, one for each thing that is kept.
class Front {
  public:
    explicit Front(size_t words) : words_(words), having_(words * 64) {}

    // Keep it, unless a kept one dominates it: then false.
    bool add(uint64_t cost, const uint64_t* merit);
    bool dominates(uint64_t cost, const uint64_t* merit) const { return dominator(cost, merit).has_value(); }
    // One that dominates it, by its number among those that were kept.
    std::optional<size_t> dominator(uint64_t cost, const uint64_t* merit) const;
    size_t size() const { return costs_.size(); }

  private:
    static constexpr size_t none = ~size_t(0);
    static constexpr size_t block_words = 8;  // columns are cut into blocks, so that a look stays in the cache
    static constexpr size_t block_size = block_words * 64;
    static constexpr size_t rarest = 12;  // members of the merit that are looked at in the columns

    bool is_dominator(size_t kept, uint64_t cost, const uint64_t* merit) const {
        return costs_[kept] <= cost && inside(merit, merits_.data() + kept * words_, words_);
    }
    // The place of a guess by hash, a search through the columns, and the members by which it searches.
    size_t slot(const uint64_t* merit) const;
    size_t find(uint64_t cost, const uint64_t* merit) const;
    size_t rarest_members(const uint64_t* merit, uint32_t* members) const;
    void keep(uint64_t cost, const uint64_t* merit);
    void grow_guesses();

    size_t words_;
    std::vector<uint64_t> costs_;
    Bits merits_;                    // one after the other
    std::vector<uint32_t> having_;   // by member: how many have it
    Bits columns_;                   // by block and member
    std::vector<uint32_t> guesses_;  // by hash: what dominated the last one that was added
};

}  // namespace joiner
