// The search for conjunctions within a size bound.
//
// A conjunction is a hitting set of its obligations: take the one that the fewest pieces meet, and branch on
// those pieces, each branch without the pieces of those before it. What keeps the tree small:
//
// - The pieces that meet all that is owed are an intersection of bitsets. They finish the conjunction, and there
//   is no reason to take one of them and go on. So a last piece is never branched on.
// - Coverage only shrinks along a branch. A piece that leaves nothing of use (what is left is inside a known
//   coverage: the paper's proposition on subsumed conjunctions) is left out, here and below.
// - What a conjunction covers, one of the pieces that meet an obligation covers, for each obligation. So what none
//   of them covers is out of reach; with a smaller reach, more pieces leave nothing of use, and so on.
// - A piece that covers no more of the reach than another one to choose from, meets no more of what is left to be
//   met, is no better for the directions and costs no less, can be replaced by that one, and is left out.
// - Obligations that no piece meets together cost at least their cheapest pieces together.
//
// On fragments of iggp-rps the tree doubles with each bound without the second half of this, and stops growing
// with it.
#pragma once

#include <deque>

#include "table.hpp"

namespace joiner {

// A search over the conjunctions of a table. Derived classes say which coverages are useful and take what is found.
class HittingSets {
  public:
    // Without positives, coverage is not looked at.
    HittingSets(const Table& table, size_t positives, Poll& poll);
    virtual ~HittingSets() = default;

    // All conjunctions that cost no more than the budget and are of use, up to those that another one replaces.
    void search(uint64_t budget);

  protected:
    // Whether conjunctions with this coverage, or inside it, are of use.
    virtual bool is_useful(const uint64_t* coverage) = 0;
    // A conjunction, by its pieces in the table. Returns what those to come may cost at most.
    virtual uint64_t found(const std::vector<uint32_t>& chosen, uint64_t cost, const uint64_t* coverage) = 0;

    const Table& table_;
    Poll& poll_;

  private:
    // The state of the search at one depth. Nodes are used again for each branch, so that little is allocated on the
    // way.
    struct Node {
        Bits owed;     // the obligations that are left to be met
        Bits met;      // those that are met: a demand may come later
        Bits covered;  // by what was chosen
        Bits reach;    // what conjunctions below can cover of it
        Bits among;    // the pieces to choose from
        Bits here;     // those that finish the conjunction, then those to branch on
    };
    // With a budget for fewer pieces, looking closer at a node costs more than it saves.
    static constexpr int64_t deep = 3;

    void branch(size_t depth, uint64_t spent);
    void finish(size_t depth, uint64_t spent);
    void descend(size_t depth, uint32_t piece, uint64_t spent);
    void keep_affordable(Bits& among, int64_t budget) const;
    void find_finishing(Node& node) const;
    bool narrow(Node& node);
    void find_unreached(const Node& node, size_t row);
    void drop_dominated(Node& node);
    size_t fewest(const Node& node, int64_t budget);
    uint64_t* merit(size_t piece) { return merits_.data() + piece * merit_words_; }

    size_t words_, rows_words_, covered_words_, merit_words_;
    Bits everything_;                   // all positives
    std::vector<Bits> within_;          // by budget: the pieces that cost no more
    std::vector<Bits> meeting_;         // by obligation, the demands at the end: the pieces that meet it
    Bits demanded_;                     // the obligations that are demands
    std::vector<Bits> meets_, brings_;  // by piece: obligations; the second one only where there are demands
    std::deque<Node> nodes_;            // by depth
    std::vector<uint32_t> chosen_;
    uint64_t budget_ = 0;

    // Room for what is computed at one node and not needed any more at the next.
    Bits merits_;  // by piece: what it covers of the reach, and then what it meets
    Bits unreached_, apart_;
    std::vector<uint32_t> kept_;
    std::vector<std::pair<size_t, size_t>> ranked_;
};

}  // namespace joiner
