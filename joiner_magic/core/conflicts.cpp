#include "conflicts.hpp"

namespace joiner {

std::vector<Bits> conflicts(const std::vector<Reach::Row>& rows, size_t positives, Poll& poll) {
    const size_t words = words_for(positives);
    std::vector<Bits> apart(positives, Bits(words));
    for (const Reach::Row& row : rows)
        for (size_t one = 0; one < positives; ++one) {
            Bits together(words);
            for (const Bits& coverage : row)
                if (has(coverage.data(), one))
                    for (size_t w = 0; w < words; ++w) together[w] |= coverage[w];
            for (size_t other = 0; other < positives; ++other)
                if (!has(together.data(), other)) insert(apart[one].data(), other);
            poll.spend(row.size() * words + positives);
        }
    for (size_t one = 0; one < positives; ++one) erase(apart[one].data(), one);
    return apart;
}

}  // namespace joiner
