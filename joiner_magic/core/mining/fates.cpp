// What becomes of a body, by what it covers and what is known by now; miner.hpp says what follows from each fate.
#include <algorithm>

#include "../bits.hpp"
#include "miner.hpp"

namespace joiner::mining::JOINER_WIDTH {

// What becomes of a body; what was counted of the examples on the way is noted.
// The tests come in order of their cost as well: the positives, what they decide, then the negatives. A test of the
// positives that ends early means that no required set can be covered any more. With `every` the negatives of each body
// that covers a positive are counted. Where the tester stops at the first negative, their number is only noted if it is
// zero.
Fate Miner::judge(const Body& canonical, const Literal& added, const Parent& parent, BodyTester& tester, bool every,
                  Coverage& coverage, Record::Entry& entry) const {
    entry.positives = entry.negatives = Record::none;
    if (!tester.test(added, coverage)) return Fate::too_large;
    entry.positives = static_cast<uint32_t>(count_ones(coverage.data(), positive_words_));
    if (!entry.positives) return entry.legal ? Fate::nothing : Fate::hopeless;
    const Fate fate = this->fate(canonical, coverage);
    if (fate != Fate::fragment && !every) return fate;
    tester.complete(coverage);  // what the negatives are for
    const size_t negatives = count_ones(coverage.data() + positive_words_, words_ - positive_words_);
    if (!negatives || !parent.some_negatives) entry.negatives = static_cast<uint32_t>(negatives);
    if (tester.follows() && language_.is_dispensable(parent.body, added)) return Fate::implied;
    return fate == Fate::fragment ? fate_with_negatives(canonical, entry.legal, coverage) : fate;
}

// What can be said without the negatives; `fragment` if more has to be known.
Fate Miner::fate(const Body& body, const Coverage& coverage) const {
    const uint64_t* const positives = coverage.data();
    if (!pays(positives, body.length)) return Fate::unprofitable;
    // Of parts that are equal one is preferred: only what a smaller one covers is left out here.
    if (parts_.dominates(body.length, positives)) return Fate::subsumed;
    if (required_ && is_too_large(positives, required_->here)) return Fate::too_large;
    return Fate::fragment;
}

// What becomes of a body whose negatives are known. A legal body without negatives is a part of a hypothesis if it
// mentions all required head variables and is not stuck under the last demand, which has all outputs of the head
// unbound. Anything else is only useful as a piece of something larger, so a part of the same size that covers as much
// is enough to drop it. Sizes of parts count the head as one literal.
Fate Miner::fate_with_negatives(const Body& body, bool legal, const Coverage& coverage) const {
    const bool consistent = !any(coverage.data() + positive_words_, words_ - positive_words_);
    if (legal && consistent && !(language_.required & ~language_.mentioned(body))) {
        const auto& demands = language_.demands;
        if (demands.empty() || !(language_.profile(body).second >> (demands.size() - 1) & 1)) return Fate::consistent;
    }
    if (is_subsumed(coverage.data(), body.length + 1)) return Fate::subsumed;
    if (required_ && is_too_large(coverage.data(), required_->beyond)) return Fate::too_large;
    return legal && language_.fragments ? Fate::fragment : Fate::partial;
}

// Whether a known part of at most this size covers all these positives.
bool Miner::is_subsumed(const uint64_t* positives, uint32_t size) const { return parts_.dominates(size, positives); }

// Whether none of the required sets is covered.
bool Miner::is_too_large(const uint64_t* positives, const std::vector<Bits>& required) const {
    return std::none_of(required.begin(), required.end(),
                        [&](const Bits& set) { return inside(set.data(), positives, positive_words_); });
}

// Whether a rule that covers at most these positives, with a body of at least this length, can pay. Its head is one literal.
bool Miner::pays(const uint64_t* positives, uint32_t length) const {
    return !prices_ || prices_->positives.sum(positives) > prices_->literal * (length + 1);
}

// Whether an extension of a body of this length, which covers these positives, may be needed. It has a literal more, and its
// head is one.
bool Miner::is_needed(const uint64_t* positives, uint32_t length) const {
    if (!worth_) return true;
    const auto& [prices, slack] = *worth_;
    return prices.positives.sum(positives) > prices.literal * (length + 2) - slack;
}

}  // namespace joiner::mining::JOINER_WIDTH
