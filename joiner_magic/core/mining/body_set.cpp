// Bodies by their hashes: a hash only says where to look, and whole bodies are compared.
#include "body_set.hpp"

#include <algorithm>

namespace joiner::mining::JOINER_WIDTH {

bool BodySet::insert(const Body& body, uint64_t hash) {
    if (has(body, hash)) return false;
    const uint32_t number = static_cast<uint32_t>(hashes_.size());
    codes_.insert(codes_.end(), body.codes.begin(), body.codes.begin() + length_);
    hashes_.push_back(hash);
    if (number == few)
        for (uint32_t i = 0; i < few; ++i) numbers_.emplace(hashes_[i], i);
    if (number >= few) numbers_.emplace(hash, number);
    return true;
}

// A scan of a short array of hashes is faster than a hash table, which is only made beyond `few` bodies.
bool BodySet::has(const Body& body, uint64_t hash) const {
    const auto is_it = [&](uint32_t number) {
        return std::equal(body.codes.begin(), body.codes.begin() + length_, codes_.begin() + size_t(number) * length_);
    };
    if (hashes_.size() <= few) {
        auto at = hashes_.begin();
        while ((at = std::find(at, hashes_.end(), hash)) != hashes_.end())
            if (is_it(static_cast<uint32_t>(at++ - hashes_.begin()))) return true;
        return false;
    }
    const auto [first, last] = numbers_.equal_range(hash);
    return std::any_of(first, last, [&](const auto& known) { return is_it(known.second); });
}

}  // namespace joiner::mining::JOINER_WIDTH
