// What characters are to the tokenizer, and how they are written in UTF-8.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace joiner {

// What a byte can be at the start of a token; bytes from 0x80 on belong to characters beyond ASCII.
enum Class : uint8_t { other, layout, lower, upper, digit, symbol, quote, solo, bracket, foreign_byte };

// The class of each byte, computed by the compiler. Layout, brackets and letters are as in standard Prolog.
inline constexpr std::array<uint8_t, 256> classes = [] {
    std::array<uint8_t, 256> table{};
    for (const char c : {' ', '\t', '\n', '\r', '\v', '\f'}) table[static_cast<uint8_t>(c)] = layout;
    for (int c = 'a'; c <= 'z'; ++c) table[c] = lower;
    for (int c = 'A'; c <= 'Z'; ++c) table[c] = upper;
    table['_'] = upper;
    for (int c = '0'; c <= '9'; ++c) table[c] = digit;
    for (const char c : {'#', '$', '&', '*', '+', '-', '.', '/', ':', '<', '=', '>', '?', '@', '\\', '^', '~'})
        table[static_cast<uint8_t>(c)] = symbol;
    for (const char c : {'\'', '"', '`'}) table[static_cast<uint8_t>(c)] = quote;
    for (const char c : {'!', ';'}) table[static_cast<uint8_t>(c)] = solo;
    for (const char c : {'(', ')', '[', ']', '{', '}', ',', '|'}) table[static_cast<uint8_t>(c)] = bracket;
    for (int c = 0x80; c <= 0xff; ++c) table[c] = foreign_byte;
    return table;
}();

inline Class class_of(char c) { return static_cast<Class>(classes[static_cast<uint8_t>(c)]); }

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The digit's value in any radix up to 36, or 36 when it is none.
inline unsigned digit_value(char c) {
    if (is_digit(c)) return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'z') return static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'Z') return static_cast<unsigned>(c - 'A') + 10;
    return 36;
}

// The code point at `at` and the offset of the one after it; the text is valid UTF-8.
inline char32_t code_point(std::string_view text, uint32_t at, uint32_t& after) {
    const auto byte = [&](uint32_t i) { return i < text.size() ? static_cast<uint8_t>(text[i]) : uint8_t(0x80); };
    const uint8_t first = byte(at);
    const uint32_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    char32_t c = length == 1 ? first : first & (0xff >> (length + 1));
    for (uint32_t i = 1; i < length; ++i) c = (c << 6) | (byte(at + i) & 0x3f);
    after = at + length;
    return c;
}

// Appends a code point to a text in UTF-8. It must be a valid one.
inline void append_utf8(std::string& out, char32_t c) {
    if (c < 0x80) {
        out += static_cast<char>(c);
        return;
    }
    if (c < 0x800) {
        out += static_cast<char>(0xc0 | (c >> 6));
    } else {
        if (c < 0x10000) {
            out += static_cast<char>(0xe0 | (c >> 12));
        } else {
            out += static_cast<char>(0xf0 | (c >> 18));
            out += static_cast<char>(0x80 | ((c >> 12) & 0x3f));
        }
        out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    }
    out += static_cast<char>(0x80 | (c & 0x3f));
}

}  // namespace joiner
