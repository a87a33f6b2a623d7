// The two widths of the rules that are mined.
//
// A rule is written in words (Code): the fewer they are, the faster it is compared, hashed and kept. Nearly all tasks fit
// one word for a literal and one for a set of variables. Tables of nine columns and more do not. So everything in this
// folder is compiled twice, as joiner::mining::narrow and, with JOINER_WIDE, as joiner::mining::wide: what is written
// here is all that differs, but for the way rules are tested (Miner::tester). A file sees only one of the two, by
// the name joiner::mining.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>

#include "../text/terms.hpp"

#ifdef JOINER_WIDE
#define JOINER_WIDTH wide
#else
#define JOINER_WIDTH narrow
#endif

namespace joiner::mining {

// Thrown when a search needs more memory than it may use. Python ends the search with the best it has.
struct OutOfMemory : std::exception {
    const char* what() const noexcept override { return "the memory that the search may use is used up"; }
};

constexpr uint32_t usual_arguments = 8;  // a predicate with more is wide

inline namespace JOINER_WIDTH {

#ifdef JOINER_WIDE

constexpr uint32_t most_arguments = 63;
constexpr uint32_t most_variables = 63;

using Variables = uint64_t;  // a set of variables; those of the head come first

// A literal: the predicate in two bytes, the higher one first, then a byte for each argument.
struct Code {
    std::array<uint8_t, 2 + most_arguments> bytes{};
    bool operator==(const Code& other) const { return bytes == other.bytes; }
    bool operator!=(const Code& other) const { return bytes != other.bytes; }
    bool operator<(const Code& other) const { return std::memcmp(bytes.data(), other.bytes.data(), bytes.size()) < 0; }
};

inline uint32_t predicate_of(const Code& code) { return uint32_t(code.bytes[0]) << 8 | code.bytes[1]; }
inline uint8_t argument_of(const Code& code, uint32_t argument) { return code.bytes[2 + argument]; }
inline Code code_of(uint32_t predicate, const uint8_t* args, uint32_t arity) {
    Code code;
    code.bytes[0] = static_cast<uint8_t>(predicate >> 8);
    code.bytes[1] = static_cast<uint8_t>(predicate);
    std::copy(args, args + arity, code.bytes.begin() + 2);
    return code;
}
inline Code with_predicate(Code code, uint32_t predicate) {
    code.bytes[0] = static_cast<uint8_t>(predicate >> 8);
    code.bytes[1] = static_cast<uint8_t>(predicate);
    return code;
}
inline uint64_t mixed(uint64_t hash, const Code& code) {
    for (size_t at = 0; at < code.bytes.size(); at += 8) {
        uint64_t word = 0;
        std::memcpy(&word, code.bytes.data() + at, std::min<size_t>(8, code.bytes.size() - at));
        hash = mix(hash, word);
    }
    return hash;
}
struct CodeHash {
    size_t operator()(const Code& code) const { return static_cast<size_t>(mixed(0, code)); }
};

#else

constexpr uint32_t most_arguments = usual_arguments;
constexpr uint32_t most_variables = 32;

using Variables = uint32_t;  // a set of variables; those of the head come first

// A literal in one word that orders and compares: the predicate, then six bits for each argument.
using Code = uint64_t;

inline uint32_t predicate_of(Code code) { return static_cast<uint32_t>(code >> 48); }
inline uint8_t argument_of(Code code, uint32_t argument) { return (code >> (42 - 6 * argument)) & 63; }
inline Code code_of(uint32_t predicate, const uint8_t* args, uint32_t arity) {
    Code code = predicate;
    for (uint32_t i = 0; i < most_arguments; ++i) code = code << 6 | (i < arity ? args[i] : 0);
    return code;
}
inline Code with_predicate(Code code, uint32_t predicate) { return uint64_t(predicate) << 48 | (code << 16 >> 16); }
inline uint64_t mixed(uint64_t hash, Code code) { return mix(hash, code); }
using CodeHash = std::hash<Code>;

#endif

constexpr uint32_t most_literals = 32;

}  // namespace JOINER_WIDTH
}  // namespace joiner::mining
