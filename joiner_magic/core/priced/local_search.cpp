// The local search: fill with rules that pay, polish each, take some away, and again.
#include "local_search.hpp"

#include <random>

namespace joiner {
namespace {

constexpr uint64_t most_nodes = 5'000;  // conjunctions that one search for a rule may look at
constexpr size_t most_removed = 3;      // rules that a round takes away, unless it takes all

class LocalSearch {
  public:
    LocalSearch(const PricedPieces& pieces, std::vector<PricedRule> rules, uint64_t seed, Poll& poll)
        : pieces_(pieces), poll_(poll), random_(seed), rules_(std::move(rules)) {}

    PricedHypothesis run(uint64_t rounds, uint64_t most_work) {
        const uint64_t end = poll_.spent() + most_work;
        fill(std::nullopt);
        polish();
        PricedHypothesis best = current();
        for (uint64_t round = 0; round < rounds && poll_.spent() < end; ++round) {
            const std::vector<PricedRule> before = rules_;
            const int64_t cost_before = cost_of(pieces_, rules_);
            take_away();
            std::optional<size_t> seed = random_() % 2 ? some_uncovered() : std::nullopt;
            fill(seed);
            polish();
            const int64_t cost = cost_of(pieces_, rules_);
            if (cost > cost_before) rules_ = before;
            if (cost < best.cost) best = current();
        }
        return best;
    }

  private:
    PricedHypothesis current() const { return {rules_, cost_of(pieces_, rules_)}; }

    // What a further rule can earn next to the others: the examples that none of them covers.
    Market market_without(size_t left_out) const {
        const PricedRule all = pieces_.nothing();
        Market market{all.pos, all.neg, pieces_.missed(), pieces_.wrong()};
        for (size_t i = 0; i < rules_.size(); ++i) {
            if (i == left_out) continue;
            for (size_t w = 0; w < market.wanted.size(); ++w) market.wanted[w] &= ~rules_[i].pos[w];
            for (size_t w = 0; w < market.unwanted.size(); ++w) market.unwanted[w] &= ~rules_[i].neg[w];
        }
        return market;
    }

    // Adds rules as long as one pays; the first one covers the seed, if there is one.
    void fill(std::optional<size_t> seed) {
        for (;;) {
            BestRule best = best_rule(pieces_, market_without(none), 0, most_nodes, poll_, seed);
            if (!best.rule && !seed) return;
            if (best.rule) rules_.push_back(std::move(*best.rule));
            seed = std::nullopt;
        }
    }

    // Puts a better rule in the place of each, or none if none pays, until nothing changes.
    void polish() {
        for (bool changed = true; changed;) {
            changed = false;
            for (size_t i = 0; i < rules_.size();) {
                const Market market = market_without(i);
                const int64_t worth = market.earning.sum_of_both(market.wanted.data(), rules_[i].pos.data()) -
                                      market.paying.sum_of_both(market.unwanted.data(), rules_[i].neg.data()) -
                                      rules_[i].size;
                BestRule best = best_rule(pieces_, market, std::max<int64_t>(worth, 0), most_nodes, poll_);
                if (best.rule) {
                    rules_[i++] = std::move(*best.rule);
                    changed = true;
                } else if (worth <= 0) {
                    rules_.erase(rules_.begin() + static_cast<ptrdiff_t>(i));
                    changed = true;
                } else {
                    ++i;
                }
            }
        }
    }

    // Takes a few rules away, now and then all of them.
    void take_away() {
        if (random_() % 10 == 0) rules_.clear();
        for (size_t number = 1 + random_() % most_removed; number && !rules_.empty(); --number)
            rules_.erase(rules_.begin() + static_cast<ptrdiff_t>(random_() % rules_.size()));
    }

    std::optional<size_t> some_uncovered() {
        const Market market = market_without(none);
        const size_t count = count_ones(market.wanted.data(), market.wanted.size());
        if (!count) return std::nullopt;
        size_t number = random_() % count, chosen = 0;
        for_each(market.wanted.data(), market.wanted.size(), [&](size_t example) {
            if (!number--) chosen = example;
        });
        return chosen;
    }

    static constexpr size_t none = ~size_t(0);

    const PricedPieces& pieces_;
    Poll& poll_;
    std::mt19937_64 random_;
    std::vector<PricedRule> rules_;
};

}  // namespace

int64_t cost_of(const PricedPieces& pieces, const std::vector<PricedRule>& rules) {
    Bits missed = pieces.nothing().pos, wrong(pieces.negative_words());
    int64_t cost = 0;
    for (const PricedRule& rule : rules) {
        cost += rule.size;
        for (size_t w = 0; w < missed.size(); ++w) missed[w] &= ~rule.pos[w];
        for (size_t w = 0; w < wrong.size(); ++w) wrong[w] |= rule.neg[w];
    }
    return cost + pieces.missed().sum(missed.data()) + pieces.wrong().sum(wrong.data());
}

PricedHypothesis cheaper_hypothesis(const PricedPieces& pieces, std::vector<PricedRule> begin, uint64_t rounds,
                                    uint64_t most_work, uint64_t seed, Poll& poll) {
    return LocalSearch(pieces, std::move(begin), seed, poll).run(rounds, most_work);
}

}  // namespace joiner
