// The values of numbers as they are written, digit groups (1_000) included.
#pragma once

// Python's C interface reads a real correctly rounded and the same in every locale.
#include <Python.h>

#include <string>
#include <string_view>
#include <vector>

#include "characters.hpp"

namespace joiner {

// Decimal digits of a number too large for 64 bits, through limbs of nine digits.
// `digits` may contain underscores. Each digit multiplies what is there by the radix and is added, limb by limb from
// the lowest. The result has no leading zeros.
inline std::string decimal(std::string_view digits, unsigned radix) {
    constexpr uint32_t limb_size = 1000000000;
    std::vector<uint32_t> limbs{0};
    for (const char c : digits) {
        if (c == '_') continue;
        uint64_t carry = digit_value(c);
        for (uint32_t& limb : limbs) {
            carry += uint64_t(limb) * radix;
            limb = static_cast<uint32_t>(carry % limb_size);
            carry /= limb_size;
        }
        if (carry) limbs.push_back(static_cast<uint32_t>(carry));
    }
    std::string out = std::to_string(limbs.back());
    for (size_t i = limbs.size() - 1; i-- > 0;) {
        const std::string part = std::to_string(limbs[i]);
        out.append(9 - part.size(), '0').append(part);
    }
    return out;
}

// Infinite when the number is too large. Texts are read while other threads run Python; this call of Python's is for
// those that hold its lock.
inline double real_value(std::string_view digits) {
    std::string plain;
    for (const char c : digits)
        if (c != '_') plain += c;
    const PyGILState_STATE before = PyGILState_Ensure();
    const double value = PyOS_string_to_double(plain.c_str(), nullptr, nullptr);
    PyGILState_Release(before);
    return value;
}

}  // namespace joiner
