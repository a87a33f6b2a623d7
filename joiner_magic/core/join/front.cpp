// The front of undominated things. See front.hpp for the data structure: guesses by hash, and columns of bits by
// member.
#include "front.hpp"

#include <algorithm>

#include "../text/terms.hpp"

namespace joiner {

// The guess for the hash of the merit is tried first. It may belong to any thing with this slot, so it is always
// checked. On success the guess is renewed, as the next thing with the same merit will ask for the same dominator.
bool Front::add(uint64_t cost, const uint64_t* merit) {
    if (size()) {
        uint32_t& guess = guesses_[slot(merit)];
        if (is_dominator(guess, cost, merit)) return false;
        const size_t dominator = find(cost, merit);
        if (dominator != none) {
            guess = static_cast<uint32_t>(dominator);
            return false;
        }
    }
    keep(cost, merit);
    return true;
}

// Like `add`, but changes nothing, so that several threads can ask at once.
std::optional<size_t> Front::dominator(uint64_t cost, const uint64_t* merit) const {
    if (!size()) return std::nullopt;
    const size_t guess = guesses_[slot(merit)];
    if (is_dominator(guess, cost, merit)) return guess;
    const size_t found = find(cost, merit);
    return found == none ? std::nullopt : std::optional<size_t>(found);
}

// The place of a merit in `guesses_`, whose size is a power of two.
size_t Front::slot(const uint64_t* merit) const {
    uint64_t hash = words_;
    for (size_t i = 0; i < words_; ++i) hash = mix(hash, merit[i]);
    return static_cast<size_t>(hash) & (guesses_.size() - 1);
}

// The number of a kept thing that dominates, or `none`. A dominator has all members of the merit, so it is in the
// columns of the rarest ones. The intersection of these columns, block by block, leaves few candidates, and each of
// them is compared in full. If the rarest member is in no kept merit, nothing can dominate.
size_t Front::find(uint64_t cost, const uint64_t* merit) const {
    uint32_t members[rarest];
    const size_t count = rarest_members(merit, members);
    if (count && !having_[members[0]]) return none;
    for (size_t first = 0; first < size(); first += block_size) {
        const uint64_t* block = columns_.data() + first * words_;
        uint64_t left[block_words], some = 1;
        std::fill(left, left + block_words, ~uint64_t(0));
        for (size_t i = 0; i < count && some; ++i) {
            const uint64_t* column = block + members[i] * block_words;
            some = 0;
            for (size_t w = 0; w < block_words; ++w) some |= left[w] &= column[w];
        }
        if (!some) continue;
        const size_t last = std::min(size(), first + block_size);
        for (size_t w = 0; w < block_words; ++w)
            for (uint64_t rest = left[w]; rest; rest &= rest - 1) {
                const size_t kept = first + w * 64 + lowest_one(rest);
                if (kept < last && is_dominator(kept, cost, merit)) return kept;
            }
    }
    return none;
}

// Up to `rarest` members of the merit, by how many kept things have them, and how many they are. This is an insertion
// into a short sorted array.
// The rarest first.
size_t Front::rarest_members(const uint64_t* merit, uint32_t* members) const {
    size_t count = 0;
    for_each(merit, words_, [&](size_t member) {
        const uint32_t having = having_[member];
        if (count == rarest && having >= having_[members[rarest - 1]]) return;
        size_t place = count < rarest ? count++ : rarest - 1;
        for (; place && having_[members[place - 1]] > having; --place) members[place] = members[place - 1];
        members[place] = static_cast<uint32_t>(member);
    });
    return count;
}

// Appends a thing. A block of columns is begun for each `block_size` things, with room for every member.
void Front::keep(uint64_t cost, const uint64_t* merit) {
    const size_t number = size(), place = number % block_size;
    if (place == 0) columns_.resize(columns_.size() + words_ * 64 * block_words);
    uint64_t* block = columns_.data() + (number - place) * words_;
    for_each(merit, words_, [&](size_t member) {
        ++having_[member];
        insert(block + member * block_words, place);
    });
    costs_.push_back(cost);
    merits_.insert(merits_.end(), merit, merit + words_);
    if (size() * 4 > guesses_.size()) grow_guesses();
    guesses_[slot(merit)] = static_cast<uint32_t>(number);
}

// A larger table of guesses. Places without a thing point to the first one, which is harmless, as guesses are checked.
void Front::grow_guesses() {
    guesses_.assign(std::max<size_t>(1024, guesses_.size() * 4), 0);
    for (size_t kept = 0; kept < size(); ++kept)
        guesses_[slot(merits_.data() + kept * words_)] = static_cast<uint32_t>(kept);
}

}  // namespace joiner
