// The pieces of rules where errors have a price, in flat arrays.
#include "priced_pieces.hpp"

namespace joiner {

PricedPieces::PricedPieces(const Bits& required, size_t demands, int64_t literal, const std::vector<int64_t>& missed,
                           const std::vector<int64_t>& wrong)
    : required_(required),
      head_words_(required.size()),
      demand_words_(words_for(demands)),
      literal_(literal),
      positives_(missed.size()),
      negatives_(wrong.size()),
      missed_(missed),
      wrong_(wrong) {}

void PricedPieces::add(const Piece& piece) {
    costs_.push_back(literal_ * piece.cost);
    pos_.insert(pos_.end(), piece.pos.begin(), piece.pos.end());
    neg_.insert(neg_.end(), piece.neg.begin(), piece.neg.end());
    for (size_t w = 0; w < head_words_; ++w) given_.push_back(piece.head[w] & required_[w]);
    given_.insert(given_.end(), piece.progress.begin(), piece.progress.end());
    given_.insert(given_.end(), piece.stuck.begin(), piece.stuck.end());
}

void PricedPieces::add_whole(uint32_t literals, const Bits& pos, const Bits& neg) {
    PricedRule rule;
    rule.pos = pos;
    rule.neg = neg;
    rule.size = literal_ * literals;
    rule.whole = static_cast<uint32_t>(whole_.size());
    whole_.push_back(std::move(rule));
}

bool PricedPieces::brings(size_t piece, const Bits& given) const {
    const uint64_t* const own = this->given(piece);
    for (size_t w = 0; w < head_words_ + demand_words_; ++w)
        if (own[w] & ~given[w]) return true;
    return false;
}

void PricedPieces::give(size_t piece, Bits& given) const {
    const uint64_t* const own = this->given(piece);
    for (size_t w = 0; w < given.size(); ++w) given[w] |= own[w];
}

bool PricedPieces::is_legal(const Bits& given) const {
    for (size_t w = 0; w < head_words_; ++w)
        if (required_[w] & ~given[w]) return false;
    const uint64_t* const progress = given.data() + head_words_;
    const uint64_t* const stuck = progress + demand_words_;
    for (size_t w = 0; w < demand_words_; ++w)
        if (stuck[w] & ~progress[w]) return false;
    return true;
}

bool PricedPieces::gives_all_of(const Bits& given, const Bits& other) const {
    const size_t good = head_words_ + demand_words_;
    for (size_t w = 0; w < good; ++w)
        if (other[w] & ~given[w]) return false;
    for (size_t w = good; w < given.size(); ++w)
        if (given[w] & ~other[w]) return false;
    return true;
}

PricedRule PricedPieces::nothing() const {
    PricedRule rule;
    rule.pos.resize(positive_words());
    rule.neg.resize(negative_words());
    for (size_t i = 0; i < positives_; ++i) insert(rule.pos.data(), i);
    for (size_t i = 0; i < negatives_; ++i) insert(rule.neg.data(), i);
    rule.given.resize(given_words());
    rule.size = literal_;  // the head
    return rule;
}

PricedRule PricedPieces::extended(const PricedRule& rule, uint32_t piece) const {
    PricedRule longer = rule;
    for (size_t w = 0; w < longer.pos.size(); ++w) longer.pos[w] &= pos(piece)[w];
    for (size_t w = 0; w < longer.neg.size(); ++w) longer.neg[w] &= neg(piece)[w];
    give(piece, longer.given);
    longer.size += cost(piece);
    longer.pieces.push_back(piece);
    return longer;
}

PricedRule PricedPieces::conjunction(const std::vector<uint32_t>& pieces) const {
    PricedRule rule = nothing();
    for (const uint32_t piece : pieces) rule = extended(rule, piece);
    return rule;
}

}  // namespace joiner
