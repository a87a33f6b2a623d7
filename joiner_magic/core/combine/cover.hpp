// The cheapest parts that together cover a set of examples.
#pragma once

#include <limits>

#include "../bits.hpp"
#include "../poll.hpp"

namespace joiner {

using Price = uint64_t;

// Parts by number: what each costs, which examples it covers, and which may not all be chosen together.
struct CoverProblem {
    Bits target;                  // the examples to cover
    std::vector<Price> prices;
    std::vector<Bits> coverages;  // inside the target
    std::vector<std::vector<uint32_t>> forbidden;
};

// What is left of a problem without what cannot matter:
// - a part that covers no more than another one which is no dearer and in no forbidden set: put in its place,
//   that one covers as much and forbids nothing;
// - an example whose parts include all the parts of another: covering that one covers it too.
class CoverTable {
  public:
    CoverTable(const CoverProblem& problem, Poll& poll);

    std::vector<uint32_t> numbers;                 // of the parts that are left
    std::vector<Price> prices;                     // of those, by place
    std::vector<std::vector<uint32_t>> covering;   // by example that is left: places of its parts, fewest first
    std::vector<std::vector<uint32_t>> forbidden;  // sets of places

  private:
    void drop_dominated(const CoverProblem& problem, Poll& poll);
    void drop_implied(const CoverProblem& problem, Poll& poll);
    void translate_forbidden(const CoverProblem& problem);
};

// Branch and bound: branches over the parts of the example that has the fewest left. Each part that was tried
// is left out of what is tried after it, so no set of parts comes twice.
//
// The bound is a dual solution: each example in turn takes from the prices of its parts as much as the
// cheapest has left. Any cover pays each example's share once at least, so the shares together are a lower
// bound, and a part that has so much left that it would bring the bound over the limit is in no cheaper cover.
class CoverSearch {
  public:
    static constexpr Price no_limit = std::numeric_limits<Price>::max() / 4;

    // Only covers cheaper than `below` count. `work` bounds the entries of the table that are looked at.
    CoverSearch(const CoverTable& table, Price below, uint64_t work, Poll& poll)
        : table_(table), poll_(poll), limit_(below), left_(work), is_chosen_(words_for(table.prices.size())) {}

    // False when the work was not enough: then what was found might not be the cheapest.
    bool run();
    bool found() const { return found_; }
    const std::vector<uint32_t>& best() const { return best_; }  // places in the table

  private:
    struct Branches {
        std::vector<uint32_t> places;  // of the parts of one example; none if no cover is cheap enough
        std::vector<Price> least;      // by part: what a cover with it costs at least
    };
    void branch(const Bits& open, Bits available, Price paid);
    Branches bound(const Bits& open, const Bits& available, Price paid);
    bool is_forbidden(uint32_t place) const;
    Bits without(const Bits& open, uint32_t place) const;
    bool spend(uint64_t work);

    const CoverTable& table_;
    Poll& poll_;
    Price limit_;
    uint64_t left_;
    std::vector<Bits> covers_;  // by part: the examples of the table
    Bits is_chosen_;
    std::vector<uint32_t> chosen_, best_;
    bool found_ = false, gave_up_ = false;
};

}  // namespace joiner
