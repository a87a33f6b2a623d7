// What a conjunction owes, and which pieces give it.
//
// A conjunction has obligations: for each negative example, a piece that misses it; for each required head
// variable, a piece that mentions it; and one piece at all. Each is met by a set of pieces. A demand of the
// directions (see joiner_magic.logic.dominance) is an obligation too, but one that only some pieces bring with
// them: those that are stuck under it owe one that makes progress.
//
// A set of pieces is a legal conjunction without negatives if and only if each obligation that it has is met by
// one of its pieces. The union of two legal conjunctions is legal: it meets what either meets and owes what either
// owes. So among any pieces there is one largest legal conjunction, or none at all.
//
// An obligation that all pieces meet which meet another one is met whenever that one is: it is left out.
#pragma once

#include "../bits.hpp"

namespace joiner {

// A fragment, or a program of several rules, as the join sees it: joiner_magic.logic.dominance.Piece.
struct Piece {
    uint32_t cost;
    Bits pos, neg, head, progress, stuck;
};

struct Demand {
    Bits bringing, meeting;  // the pieces that are stuck, those that make progress
};

// All pieces of the join, and for each obligation the set of those that meet it.
class Obligations {
  public:
    Obligations(size_t positives, size_t negatives, const Bits& required, size_t demands);
    void add(const Piece& piece);

    size_t size() const { return costs_.size(); }
    size_t words() const { return words_for(size()); }
    size_t positives() const { return covering_.size(); }
    size_t coverage_words() const { return words_for(positives()); }
    uint32_t cost(size_t piece) const { return costs_[piece]; }
    const uint64_t* coverage(size_t piece) const { return coverages_.data() + piece * coverage_words(); }
    // The pieces that cover an example, that cover all of these.
    const Bits& covering(size_t positive) const { return covering_[positive]; }
    Bits covering_all(const uint64_t* examples) const;
    // What every conjunction owes: by obligation the pieces that meet it.
    size_t obligations() const { return 1 + missing_.size() + required_.size(); }
    const Bits& meeting(size_t obligation) const;
    // Likewise without those that are met whenever another one is, the hardest first.
    const std::vector<Bits>& owed();
    const std::vector<size_t>& owed_numbers();  // which obligations they are
    const std::vector<Demand>& demands() const { return demands_; }

    // Leaves the largest legal conjunction of these pieces; false if there is none.
    bool narrow(Bits& among);

  private:
    struct Required {
        size_t variable;
        Bits meeting;
    };

    void find_owed();

    std::vector<uint32_t> costs_;
    Bits coverages_;                // one after the other
    std::vector<Bits> covering_;    // by positive
    Bits all_;
    std::vector<Bits> missing_;     // by negative: the pieces that miss it
    std::vector<Required> required_;
    std::vector<Demand> demands_;
    std::vector<Bits> owed_;        // as of owed_for_ pieces
    std::vector<size_t> owed_numbers_;
    size_t owed_for_ = ~size_t(0);
    size_t likely_ = 0;             // the obligation that was not met the last time
};

// Of sets of the same width the numbers of those that contain no other one; of equal ones the first. The smallest first.
std::vector<size_t> minimal(const std::vector<const Bits*>& sets);
// The same as sets.
std::vector<Bits> minimal(std::vector<Bits> sets);

}  // namespace joiner
