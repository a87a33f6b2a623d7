#include "maximal.hpp"

#include <algorithm>

#include "hitting_sets.hpp"

namespace joiner {
namespace {

class Maximal : public HittingSets {
  public:
    Maximal(const Table& table, size_t positives, const Front& known, uint64_t bound, Poll& poll,
            std::vector<Conjunction>& result)
        : HittingSets(table, positives, poll),
          words_(words_for(positives)),
          known_(known),
          bound_(bound),
          here_(words_),
          result_(result) {}

  private:
    bool is_useful(const uint64_t* coverage) override {
        poll_.spend(words_ + known_.size() / 16);
        return any(coverage, words_) && !here_.dominates(bound_, coverage) && !known_.dominates(bound_, coverage);
    }
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
    Front here_;
    std::vector<Conjunction>& result_;
};

}  // namespace

void find_maximal(Obligations& obligations, const Front& known, uint64_t bound, const Bits& including, Poll& poll,
                  std::vector<Conjunction>& found) {
    Bits among = obligations.covering_all(including.data());
    if (!bound || !obligations.narrow(among)) return;
    const Table table = Table::of(obligations, among, bound - 1, Table::Coverage::counts, poll);
    Maximal(table, obligations.positives(), known, bound, poll, found).search(bound - 1);
}

}  // namespace joiner
