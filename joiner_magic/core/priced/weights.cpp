// Sums of weights over sets, by counting or by tables.
#include "weights.hpp"

#include <algorithm>

// These sums are where the search for cheap rules spends most of its time. Processors that count the ones of a word by one
// instruction get a version of their own, where the compiler and the C library can choose when the program is loaded.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define JOINER_BY_PROCESSOR __attribute__((target_clones("popcnt", "default")))
#else
#define JOINER_BY_PROCESSOR
#endif

namespace joiner {

Weights::Weights(const std::vector<int64_t>& weights) : words_(words_for(weights.size())) {
    if (weights.empty()) return;
    each_ = weights[0];
    alike_ = std::all_of(weights.begin(), weights.end(), [&](int64_t weight) { return weight == each_; });
    if (alike_) return;
    sums_.resize(words_ * 8);
    for (size_t byte = 0; byte < sums_.size(); ++byte)
        for (size_t members = 1; members < 256; ++members) {
            const size_t lowest = byte * 8 + lowest_one(members);
            const int64_t weight = lowest < weights.size() ? weights[lowest] : 0;
            sums_[byte][members] = sums_[byte][members & (members - 1)] + weight;
        }
}

inline int64_t Weights::of_word(size_t word, uint64_t members) const {
    if (alike_) return each_ * static_cast<int64_t>(count_ones(members));
    int64_t sum = 0;
    for (const OfByte* table = &sums_[word * 8]; members; members >>= 8, ++table) sum += (*table)[members & 255];
    return sum;
}

JOINER_BY_PROCESSOR int64_t Weights::sum(const uint64_t* set) const {
    int64_t sum = 0;
    for (size_t w = 0; w < words_; ++w) sum += of_word(w, set[w]);
    return sum;
}

JOINER_BY_PROCESSOR int64_t Weights::sum_of_both(const uint64_t* one, const uint64_t* other) const {
    int64_t sum = 0;
    for (size_t w = 0; w < words_; ++w) sum += of_word(w, one[w] & other[w]);
    return sum;
}

JOINER_BY_PROCESSOR int64_t Weights::sum_without(const uint64_t* one, const uint64_t* other) const {
    int64_t sum = 0;
    for (size_t w = 0; w < words_; ++w) sum += of_word(w, one[w] & ~other[w]);
    return sum;
}

}  // namespace joiner
