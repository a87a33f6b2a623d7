// Sets of small numbers as arrays of 64-bit words, in plain C++17.
// They hold coverages (a bit for each example), sets of pieces in the join and domains of variables in the miner.
// The functions take pointers and a number of words, so that they work on a part of a larger array as well as on a
// vector.
// Bits beyond the last member of a set must be zero, as they would be counted and visited.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

namespace joiner {

// A set that owns its words. Sets that are compared with each other have the same number of words.
using Bits = std::vector<uint64_t>;

inline size_t words_for(size_t bits) { return (bits + 63) / 64; }

// Without a compiler flag that not every processor honours, this is faster than the built-in function.
inline unsigned count_ones(uint64_t word) {
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return static_cast<unsigned>(word * 0x0101010101010101u >> 56);
}

// The number of the lowest one of a word that has one.
inline unsigned lowest_one(uint64_t word) {
#if defined(_MSC_VER) && !defined(__clang__)
    unsigned long place;
    _BitScanForward64(&place, word);
    return place;
#else
    return static_cast<unsigned>(__builtin_ctzll(word));
#endif
}

// Membership of one number, which must lie within the words of the set.
inline bool has(const uint64_t* set, size_t number) { return set[number / 64] >> (number % 64) & 1; }
inline void insert(uint64_t* set, size_t number) { set[number / 64] |= uint64_t(1) << (number % 64); }
inline void erase(uint64_t* set, size_t number) { set[number / 64] &= ~(uint64_t(1) << (number % 64)); }

// Whether the set has a member.
inline bool any(const uint64_t* set, size_t words) {
    for (size_t i = 0; i < words; ++i)
        if (set[i]) return true;
    return false;
}

// Whether the two sets share a member.
inline bool meet(const uint64_t* one, const uint64_t* other, size_t words) {
    for (size_t i = 0; i < words; ++i)
        if (one[i] & other[i]) return true;
    return false;
}

// Whether each member of `part` is a member of `whole`.
inline bool inside(const uint64_t* part, const uint64_t* whole, size_t words) {
    for (size_t i = 0; i < words; ++i)
        if (part[i] & ~whole[i]) return false;
    return true;
}

// The number of members.
inline size_t count_ones(const uint64_t* set, size_t words) {
    size_t count = 0;
    for (size_t i = 0; i < words; ++i) count += count_ones(set[i]);
    return count;
}

// Calls visit(number) for each member, from the lowest.
template <class Visit>
void for_each(const uint64_t* set, size_t words, Visit visit) {
    for (size_t i = 0; i < words; ++i)
        for (uint64_t rest = set[i]; rest; rest &= rest - 1) visit(i * 64 + lowest_one(rest));
}

}  // namespace joiner
