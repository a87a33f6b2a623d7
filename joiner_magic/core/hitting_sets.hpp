// The search for conjunctions within a size bound.
//
// A conjunction is a hitting set of its obligations: take the one that the fewest pieces meet, and branch on
// those pieces, each branch without the pieces of those before it. What keeps the tree small:
//
// - The pieces that meet all that is owed are an intersection of bitsets. They finish the conjunction, and there
//   is no reason to take one of them and go on. So a last piece is never branched on.
// - Coverage only shrinks along a branch, so a branch ends where its coverage is of no use (it is inside a known
//   one: the paper's proposition on subsumed conjunctions).
// - Obligations that no piece meets together cost at least their cheapest pieces together.
#pragma once

#include <deque>

#include "table.hpp"

namespace joiner {

class HittingSets {
  public:
    HittingSets(const Table& table, size_t positives, Poll& poll);
    virtual ~HittingSets() = default;

    // All conjunctions that cost no more than the budget.
    void search(uint64_t budget);

  protected:
    // Whether a conjunction with this coverage is of use.
    virtual bool is_useful(const uint64_t* coverage) = 0;
    // A conjunction, by its pieces in the table. Returns what those to come may cost at most.
    virtual uint64_t found(const std::vector<uint32_t>& chosen, uint64_t cost, const uint64_t* coverage) = 0;

    const Table& table_;
    Poll& poll_;

  private:
    // What is left to be met, what is met (with demands), what is covered, the pieces to choose from.
    struct Node {
        Bits owed, met, covered, among, last;
    };

    void branch(size_t depth, uint64_t spent);
    void keep_affordable(Bits& among, int64_t budget) const;
    void find_last(Node& node);
    size_t fewest(const Node& node, int64_t budget);
    void descend(size_t depth, uint32_t piece);

    size_t words_, rows_words_, covered_words_;
    std::vector<Bits> within_;            // by budget: the pieces that cost no more
    std::vector<Bits> meeting_;           // by obligation, the demands at the end
    std::vector<Bits> meets_, brings_;    // by piece
    std::deque<Node> nodes_;              // by depth
    std::vector<uint32_t> chosen_;
    uint64_t budget_ = 0;
    Bits free_;                           // pieces that meet none of the obligations counted so far
    std::vector<std::pair<size_t, size_t>> ranked_;
};

}  // namespace joiner
