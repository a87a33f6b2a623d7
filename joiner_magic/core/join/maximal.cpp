// The complete join: all conjunctions within a size bound that cover something new. It is the search of HittingSets,
// with a front of known coverages that decides what is useful.
#include "maximal.hpp"

#include <algorithm>

#include "hitting_sets.hpp"
#include "../text/terms.hpp"

namespace joiner {
namespace {

// Which coverages are of no use, and which were of use when so many conjunctions had been found. A slot keeps
// its last entry: nodes that are close to each other ask for the same coverages again and again.
class Verdicts {
  public:
    Verdicts(size_t slots, size_t words) : mask_(slots - 1), words_(words), coverages_(slots * words), verdicts_(slots) {}

    enum Verdict : uint64_t { unknown, useless, useful };  // useful, or more by what had been found

    uint64_t& find(const uint64_t* coverage) {
        uint64_t hash = words_;
        for (size_t w = 0; w < words_; ++w) hash = mix(hash, coverage[w]);
        const size_t slot = static_cast<size_t>(hash) & mask_;
        uint64_t* entry = coverages_.data() + slot * words_;
        if (!std::equal(coverage, coverage + words_, entry)) {
            std::copy(coverage, coverage + words_, entry);
            verdicts_[slot] = unknown;
        }
        return verdicts_[slot];
    }

  private:
    size_t mask_, words_;
    Bits coverages_, verdicts_;
};

// The number of slots of the cache, a power of two that grows with the number of pieces up to a limit.
size_t slots_for(size_t pieces) {
    constexpr size_t most = 1 << 14;
    size_t slots = 64;
    while (slots < most && slots < 64 * pieces) slots *= 2;
    return slots;
}

// The hitting set search with "covers something that nothing known covers" as its idea of useful. What is found goes to
// `here_` at once, so later conjunctions must cover something that is new beside it.
class Maximal : public HittingSets {
  public:
    Maximal(const Table& table, size_t positives, const Front& known, uint64_t bound, Poll& poll,
            std::vector<Conjunction>& result)
        : HittingSets(table, positives, poll),
          words_(words_for(positives)),
          known_(known),
          bound_(bound),
          here_(words_),
          verdicts_(slots_for(table.size()), words_),
          result_(result) {}

  private:
    // A coverage is useless if it is empty or inside a known one of at most this size. That is final, since known
    // coverages are only added. A verdict "useful" holds as long as no more conjunctions are found, and is checked
    // again then.
    bool is_useful(const uint64_t* coverage) override {
        uint64_t& verdict = verdicts_.find(coverage);
        const uint64_t useful_now = Verdicts::useful + here_.size();
        if (verdict != Verdicts::useless && verdict != useful_now) {
            poll_.spend(words_ + (known_.size() + here_.size()) / 16);
            const bool known = !any(coverage, words_) || here_.dominates(bound_, coverage) || known_.dominates(bound_, coverage);
            verdict = known ? uint64_t(Verdicts::useless) : useful_now;
        }
        return verdict != Verdicts::useless;
    }
    // Notes a conjunction under the numbers of the pieces outside the table. The budget stays the same.
    uint64_t found(const std::vector<uint32_t>& chosen, uint64_t cost, const uint64_t* coverage) override {
        Conjunction conjunction{{}, Bits(coverage, coverage + words_), cost + 1};
        for (const uint32_t piece : chosen) conjunction.pieces.push_back(table_.numbers[piece]);
        std::sort(conjunction.pieces.begin(), conjunction.pieces.end());
        here_.add(conjunction.size, coverage);
        result_.push_back(std::move(conjunction));
        return bound_ - 1;
    }

    size_t words_;
    const Front& known_;
    uint64_t bound_;
    Front here_;  // what was found
    Verdicts verdicts_;
    std::vector<Conjunction>& result_;
};

}  // namespace

// Only pieces that cover all of `including` can be in such a conjunction. One unit of the bound is for the head.
void find_maximal(Obligations& obligations, const Front& known, uint64_t bound, const Bits& including, Poll& poll,
                  std::vector<Conjunction>& found) {
    Bits among = obligations.covering_all(including.data());
    if (!bound || !obligations.narrow(among)) return;
    const Table table = Table::of(obligations, among, bound - 1, Table::Coverage::counts, poll);
    if (table.size()) Maximal(table, obligations.positives(), known, bound, poll, found).search(bound - 1);
}

// Smaller ones first, and of equal size those that cover more: so whatever dominates another comes before it.
std::vector<Conjunction> outermost(std::vector<Conjunction> conjunctions) {
    if (conjunctions.empty()) return conjunctions;
    const auto rank = [](const Conjunction& c) {
        return std::make_pair(c.size, -static_cast<int64_t>(count_ones(c.pos.data(), c.pos.size())));
    };
    std::stable_sort(conjunctions.begin(), conjunctions.end(),
                     [&](const Conjunction& a, const Conjunction& b) { return rank(a) < rank(b); });
    Front front(conjunctions[0].pos.size());
    std::vector<Conjunction> kept;
    for (Conjunction& conjunction : conjunctions)
        if (front.add(conjunction.size, conjunction.pos.data())) kept.push_back(std::move(conjunction));
    return kept;
}

}  // namespace joiner
