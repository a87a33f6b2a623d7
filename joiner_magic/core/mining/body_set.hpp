// Bodies that are found again by their canonical form.
#pragma once

#include <unordered_map>
#include <vector>

#include "language.hpp"

namespace joiner::mining::JOINER_WIDTH {

// Bodies of one length, each once: few most often, but of wide predicates there are hundreds of thousands.
class BodySet {
  public:
    explicit BodySet(uint32_t length) : length_(length) {}

    // Whether the body is new; its hash is `hash`.
    bool insert(const Body& body, uint64_t hash);
    bool has(const Body& body, uint64_t hash) const;
    // About what its memory is, for the memory limit.
    size_t bytes() const { return codes_.capacity() * sizeof(Code) + hashes_.capacity() * 8 + numbers_.size() * 48; }

  private:
    static constexpr uint32_t few = 512;  // hashes that are looked through one by one

    uint32_t length_;
    std::vector<Code> codes_;
    std::vector<uint64_t> hashes_;
    std::unordered_multimap<uint64_t, uint32_t> numbers_;
};

}  // namespace joiner::mining::JOINER_WIDTH
