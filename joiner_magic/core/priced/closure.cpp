// The closure: conjunctions by size, without those that P1, P2 or P5 exclude (priced_pieces.hpp).
//
// A conjunction that P2 excludes is not extended either: what excludes it is extended in its place. The smallest come first, so
// that what excludes a conjunction is known when its turn comes.
#include "closure.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace joiner {
namespace {

class Closure {
  public:
    Closure(const PricedPieces& pieces, size_t most_kept, uint64_t most_work, Poll& poll, const DualProof* proof)
        : pieces_(pieces), most_kept_(most_kept), poll_(poll), end_(poll.spent() + most_work), proof_(proof) {}

    std::optional<std::vector<PricedRule>> run() {
        extend(pieces_.nothing());
        while (!waiting_.empty()) {
            const auto smallest = waiting_.begin();
            std::vector<PricedRule> rules = std::move(smallest->second);
            waiting_.erase(smallest);
            sort_by_worth(rules);
            for (PricedRule& rule : rules) {
                if (is_replaced(rule)) continue;
                extend(rule);
                keep(std::move(rule));
                if (kept_.size() > most_kept_ || number_waiting_ > 20 * most_kept_ || poll_.spent() > end_)
                    return std::nullopt;
            }
            number_waiting_ -= rules.size();
        }
        return legal_ones();
    }

  private:
    // Conjunctions with one piece more wait until their size comes.
    void extend(const PricedRule& rule) {
        const bool is_root = rule.pieces.empty();
        for (uint32_t piece = 0; piece < pieces_.size(); ++piece) {
            poll_.spend(rule.pos.size() + rule.neg.size());
            const int64_t cost = pieces_.cost(piece);
            const int64_t earns = pieces_.missed().sum_of_both(rule.pos.data(), pieces_.pos(piece));
            if (earns <= rule.size + cost) continue;  // P1
            if (proof_ && is_disproven(rule, piece)) continue;
            const bool excludes = pieces_.wrong().sum_without(rule.neg.data(), pieces_.neg(piece)) > cost;
            if (!is_root && !excludes && !pieces_.brings(piece, rule.given)) continue;  // P5
            if (std::find(rule.pieces.begin(), rule.pieces.end(), piece) != rule.pieces.end()) continue;
            wait(pieces_.extended(rule, piece));
        }
    }

    // Whether the conjunction with this piece, and all that it becomes, earns too little by the proof.
    bool is_disproven(const PricedRule& rule, uint32_t piece) const {
        const int64_t earns = proof_->earning.sum_of_both(rule.pos.data(), pieces_.pos(piece));
        return earns < proof_->price * (rule.size + pieces_.cost(piece)) - proof_->slack;
    }

    // Unless the same conjunction, or an equal one that is no larger, is waiting or was there before.
    void wait(PricedRule rule) {
        const uint64_t hash = hash_of(rule);
        const auto [first, last] = seen_.equal_range(hash);
        for (auto entry = first; entry != last; ++entry) {
            Seen& seen = entry->second;
            if (seen.pos != rule.pos || seen.neg != rule.neg || seen.given != rule.given) continue;
            if (seen.size <= rule.size) return;
            seen.size = rule.size;
            waiting_[rule.size].push_back(std::move(rule));
            ++number_waiting_;
            return;
        }
        seen_.emplace(hash, Seen{rule.pos, rule.neg, rule.given, rule.size});
        waiting_[rule.size].push_back(std::move(rule));
        ++number_waiting_;
    }

    void sort_by_worth(std::vector<PricedRule>& rules) const {
        std::vector<std::pair<int64_t, size_t>> order;
        for (size_t i = 0; i < rules.size(); ++i)
            order.emplace_back(pieces_.wrong().sum(rules[i].neg.data()) - pieces_.missed().sum(rules[i].pos.data()), i);
        std::sort(order.begin(), order.end());
        std::vector<PricedRule> sorted;
        for (const auto& [worth, number] : order) sorted.push_back(std::move(rules[number]));
        rules = std::move(sorted);
    }

    // P2, against every conjunction that was kept.
    bool is_replaced(const PricedRule& rule) {
        const int64_t earns = pieces_.missed().sum(rule.pos.data());
        for (size_t i = kept_.size(); i--;) {
            const PricedRule& other = kept_[i];
            const int64_t allowed = rule.size - other.size;
            poll_.spend(rule.pos.size() / 4);
            if (earns - earnings_[i] > allowed) continue;  // then it covers too much that the other does not
            const int64_t missed = pieces_.missed().sum_without(rule.pos.data(), other.pos.data());
            if (missed > allowed) continue;
            if (missed + pieces_.wrong().sum_without(other.neg.data(), rule.neg.data()) > allowed) continue;
            if (pieces_.gives_all_of(other.given, rule.given)) return true;
        }
        return false;
    }

    void keep(PricedRule rule) {
        earnings_.push_back(pieces_.missed().sum(rule.pos.data()));
        kept_.push_back(std::move(rule));
    }

    std::vector<PricedRule> legal_ones() const {
        std::vector<PricedRule> rules;
        for (const PricedRule& rule : kept_)
            if (pieces_.is_legal(rule.given)) rules.push_back(rule);
        for (const PricedRule& rule : pieces_.whole())
            if (pieces_.missed().sum(rule.pos.data()) > rule.size) rules.push_back(rule);
        const auto smaller = [](const PricedRule& one, const PricedRule& other) { return one.size < other.size; };
        std::stable_sort(rules.begin(), rules.end(), smaller);
        return rules;
    }

    static uint64_t hash_of(const PricedRule& rule) {
        uint64_t hash = 0x9e3779b97f4a7c15u;
        for (const Bits* set : {&rule.pos, &rule.neg, &rule.given})
            for (const uint64_t word : *set) {
                hash = (hash ^ word) * 0xff51afd7ed558ccdu;
                hash ^= hash >> 32;
            }
        return hash;
    }

    struct Seen {
        Bits pos, neg, given;
        int64_t size;
    };

    const PricedPieces& pieces_;
    const size_t most_kept_;
    Poll& poll_;
    const uint64_t end_;
    const DualProof* const proof_;
    std::map<int64_t, std::vector<PricedRule>> waiting_;  // by size
    size_t number_waiting_ = 0;
    std::unordered_multimap<uint64_t, Seen> seen_;
    std::vector<PricedRule> kept_;
    std::vector<int64_t> earnings_;  // of the kept: what the positives that each covers are worth
};

}  // namespace

std::optional<std::vector<PricedRule>> closure(const PricedPieces& pieces, size_t most_kept, uint64_t most_work, Poll& poll,
                                               const DualProof* proof) {
    return Closure(pieces, most_kept, most_work, poll, proof).run();
}

}  // namespace joiner
