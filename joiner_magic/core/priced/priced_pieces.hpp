// Rules where errors have a price: what a hypothesis costs, and which pieces its rules are made of.
//
// A hypothesis costs the literals of its rules, a price for each positive example that none of them covers, and a price for
// each negative example that one of them covers. Prices are whole numbers in one unit, of which a literal costs `literal`.
// A rule is a conjunction of pieces (join/obligations.hpp) that is legal: it mentions every required head variable, and under
// each demand with a stuck piece some piece makes progress. Or it is *whole*: a program that is no conjunction.
//
// What the searches here leave out rests on these propositions. Each takes a cheapest hypothesis that has the least size
// among the cheapest, and of those the first in an order of the rules.
//
//   P1  Each of its rules covers positives that are worth more than the rule: otherwise it is no dearer without the rule.
//   P2  Rule r is not needed if rule k, in its place, costs no more: the positives that r covers and k does not, and the
//       negatives that k covers and r does not, are worth at most size(r) - size(k). With a further piece in both, the
//       left side shrinks and the right side does not: so r is not needed as a part of larger conjunctions either, if k
//       gives all that r gives to being legal.
//   P5  A piece of a rule is worth less than the negatives that it alone excludes, unless it brings a head variable or
//       progress that the others do not: otherwise the rule is no dearer without the piece.
#pragma once

#include "../join/obligations.hpp"
#include "weights.hpp"

namespace joiner {

// A rule, or a conjunction that is none yet.
struct PricedRule {
    Bits pos, neg;
    Bits given;                    // what its pieces give to being legal
    int64_t size = 0;              // in units of cost
    std::vector<uint32_t> pieces;  // by their numbers; of a whole rule, none
    uint32_t whole = ~uint32_t(0);  // its number among the whole rules
    bool is_whole() const { return whole != ~uint32_t(0); }
};

// The pieces that rules can be made of, and the prices of examples.
class PricedPieces {
  public:
    PricedPieces(const Bits& required, size_t demands, int64_t literal, const std::vector<int64_t>& missed,
                 const std::vector<int64_t>& wrong);

    void add(const Piece& piece);
    // A rule as it is: `literals` counts its head.
    void add_whole(uint32_t literals, const Bits& pos, const Bits& neg);

    size_t size() const { return costs_.size(); }
    const std::vector<PricedRule>& whole() const { return whole_; }
    size_t positive_words() const { return missed_.words(); }
    size_t negative_words() const { return wrong_.words(); }
    size_t positives() const { return positives_; }
    size_t negatives() const { return negatives_; }
    const Weights& missed() const { return missed_; }
    const Weights& wrong() const { return wrong_; }
    int64_t literal() const { return literal_; }

    int64_t cost(size_t piece) const { return costs_[piece]; }  // in units
    const uint64_t* pos(size_t piece) const { return pos_.data() + piece * positive_words(); }
    const uint64_t* neg(size_t piece) const { return neg_.data() + piece * negative_words(); }
    // Whether the piece gives something to being legal that is not there yet.
    bool brings(size_t piece, const Bits& given) const;
    void give(size_t piece, Bits& given) const;
    // Whether what is given makes a conjunction legal; whether it is at least as good for that as `other`.
    bool is_legal(const Bits& given) const;
    bool gives_all_of(const Bits& given, const Bits& other) const;

    // The conjunction of no pieces, which covers everything.
    PricedRule nothing() const;
    PricedRule extended(const PricedRule& rule, uint32_t piece) const;
    PricedRule conjunction(const std::vector<uint32_t>& pieces) const;

  private:
    size_t given_words() const { return head_words_ + 2 * demand_words_; }
    const uint64_t* given(size_t piece) const { return given_.data() + piece * given_words(); }

    const Bits required_;
    const size_t head_words_, demand_words_;
    const int64_t literal_;
    const size_t positives_, negatives_;
    const Weights missed_, wrong_;
    std::vector<int64_t> costs_;
    Bits pos_, neg_;  // by piece, one after the other
    Bits given_;      // by piece: the head variables, then the demands under which it makes progress, then where it is stuck
    std::vector<PricedRule> whole_;
};

}  // namespace joiner
