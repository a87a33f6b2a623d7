// The tokenizer: skips layout and comments, then reads one token by the class of its first character.
// Python's C interface says which characters beyond ASCII are letters: the C++ library does not.
#include <Python.h>

#include "tokens.hpp"

#include <cmath>
#include <cstdio>
#include <limits>

#include "characters.hpp"
#include "numbers.hpp"

namespace joiner {

namespace {

// Python refuses to print or read integers of more than 4,300 decimal digits; this many digits
// stay below that in any radix up to 36.
constexpr uint32_t most_digits = 2500;

// A limit that also keeps the conversion to decimal, which is quadratic, fast.
[[noreturn]] void too_many_digits(const Token& token) {
    throw ReadError{"a number has more than " + std::to_string(most_digits) + " digits", "", token.begin};
}

// A character as it is named in messages, such as U+00A0.
std::string code_name(char32_t c) {
    char name[16];
    std::snprintf(name, sizeof name, "U+%04X", static_cast<unsigned>(c));
    return name;
}

}  // namespace

// Skips white space and comments; whether a line ended among them.
bool Tokenizer::skip_layout() {
    bool new_line = at_ == 0;
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (class_of(c) == layout) {
            new_line |= c == '\n';
            ++at_;
        } else if (c == '%') {
            const size_t end = text_.find('\n', at_);
            at_ = static_cast<uint32_t>(end == std::string_view::npos ? text_.size() : end);
        } else if (c == '/' && peek(at_ + 1) == '*') {
            const size_t end = text_.find("*/", at_ + 2);
            if (end == std::string_view::npos)
                throw ReadError{"a comment is never closed", "add the missing */", at_};
            new_line |= text_.substr(at_, end - at_).find('\n') != std::string_view::npos;
            at_ = static_cast<uint32_t>(end + 2);
        } else if (class_of(c) == foreign_byte) {
            uint32_t after;
            const char32_t code = code_point(text_, at_, after);
            // A byte order mark is white space at the very beginning only.
            if (!Py_UNICODE_ISSPACE(code) && !(code == 0xfeff && at_ == 0)) break;
            at_ = after;
        } else {
            break;
        }
    }
    return new_line;
}

// At the end of the text the token is `finish`. Its text is a view of the source, or of a text that is kept.
Token Tokenizer::next() {
    Token token;
    token.new_line = skip_layout();
    token.begin = token.end = at_;
    if (at_ >= text_.size()) return token;
    const char c = text_[at_];
    switch (class_of(c)) {
        case lower: word(token, TokenKind::name); break;
        case upper: word(token, TokenKind::variable); break;
        case digit: number(token); break;
        case symbol: symbols(token); break;
        case quote: quoted(token, c); break;
        case foreign_byte: foreign(token); break;
        case solo:
        case bracket:
            token.kind = class_of(c) == solo ? TokenKind::name : TokenKind::punctuation;
            token.text = text_.substr(at_++, 1);
            break;
        default:
            throw ReadError{"unexpected character " + code_name(static_cast<uint8_t>(c)), "remove it", at_};
    }
    token.end = at_;
    return token;
}

// Reads on while there are letters, digits and underscores, those beyond ASCII included.
void Tokenizer::word(Token& token, TokenKind kind) {
    while (at_ < text_.size()) {
        const Class found = class_of(text_[at_]);
        if (found == lower || found == upper || found == digit) {
            ++at_;
            continue;
        }
        if (found != foreign_byte) break;
        uint32_t after;
        if (!Py_UNICODE_ISALNUM(code_point(text_, at_, after))) break;
        at_ = after;
    }
    token.kind = kind;
    token.text = text_.substr(token.begin, at_ - token.begin);
}

// A "." before layout, a comment or the end of the text ends a clause. Any other run of symbol characters is a name.
void Tokenizer::symbols(Token& token) {
    const char after = peek(at_ + 1);
    if (text_[at_] == '.' && (at_ + 1 >= text_.size() || class_of(after) == layout || after == '%')) {
        token.kind = TokenKind::end;
        ++at_;
        return;
    }
    while (at_ < text_.size() && class_of(text_[at_]) == symbol) ++at_;
    token.kind = TokenKind::name;
    token.text = text_.substr(token.begin, at_ - token.begin);
}

// A character beyond ASCII: a letter starts a word, anything else belongs in quotes.
void Tokenizer::foreign(Token& token) {
    uint32_t after;
    const char32_t c = code_point(text_, at_, after);
    if (!Py_UNICODE_ISALPHA(c)) {
        const bool shown = Py_UNICODE_ISPRINTABLE(c);
        const std::string seen(shown ? "'" + std::string(text_.substr(at_, after - at_)) + "' (" : "");
        throw ReadError{"unexpected character " + seen + code_name(c) + (shown ? ")" : ""),
                        shown ? "put the name in single quotes" : "remove it", at_};
    }
    word(token, Py_UNICODE_ISUPPER(c) || Py_UNICODE_ISTITLE(c) ? TokenKind::variable : TokenKind::name);
}

// Reads up to the closing quote. The text is only copied if it has escapes or doubled quotes. A line break must be
// escaped, so that a forgotten quote is reported where it is missing.
void Tokenizer::quoted(Token& token, char quote) {
    token.kind = quote == '\'' ? TokenKind::quoted : quote == '"' ? TokenKind::string : TokenKind::codes;
    std::string changed;
    uint32_t copied = ++at_;  // what comes before it is in `changed` already
    bool differs = false;
    for (;;) {
        const char c = peek(at_);
        if (at_ >= text_.size() || c == '\n') {
            const char* what = quote == '\'' ? "quoted atom" : quote == '"' ? "string" : "back-quoted text";
            throw ReadError{std::string("unterminated ") + what,
                            std::string("add the missing ") + quote + ", or write a line break as \\n", token.begin};
        }
        if (c == '\0') throw ReadError{"a text cannot contain the character U+0000", "remove it", at_};
        const bool doubled = c == quote && peek(at_ + 1) == quote;
        if (c == quote && !doubled) break;
        if (!doubled && c != '\\') {
            ++at_;
            continue;
        }
        differs = true;
        changed.append(text_, copied, at_ - copied);
        if (doubled) {
            changed += quote;
            at_ += 2;
        } else {
            escape(changed);
        }
        copied = at_;
    }
    if (differs) changed.append(text_, copied, at_ - copied);
    token.text = differs ? keep(std::move(changed)) : text_.substr(copied, at_ - copied);
    ++at_;
}

// Appends what the escape at `at_` stands for; false for an escaped end of line, which is nothing.
bool Tokenizer::escape(std::string& out) {
    const uint32_t start = at_++;
    const char c = peek(at_);
    if (c == '\r' && peek(at_ + 1) == '\n') ++at_;
    if (peek(at_) == '\n') {
        ++at_;
        return false;
    }
    constexpr std::string_view letters = "ntrabfves\\'\"`";
    constexpr std::string_view meanings = "\n\t\r\a\b\f\v\x1b \\'\"`";
    if (const size_t found = letters.find(c); c != '\0' && found != std::string_view::npos) {
        out += meanings[found];
        ++at_;
        return true;
    }
    const char32_t code = numeric_escape(start);
    if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        throw ReadError{"the escape stands for " + code_name(code) + ", which is not a character", "", start};
    append_utf8(out, code);
    return true;
}

// \101\ is octal, \x41\ hexadecimal (the closing backslash may be left out); \u has 4 digits, \U has 8.
char32_t Tokenizer::numeric_escape(uint32_t start) {
    const char c = peek(at_);
    const bool fixed = c == 'u' || c == 'U';
    const unsigned radix = c == 'x' || fixed ? 16 : 8;
    if (radix == 16) ++at_;
    const uint32_t first = at_;
    const uint32_t most = c == 'u' ? 4 : c == 'U' ? 8 : UINT32_MAX;
    char32_t code = 0;
    for (; at_ - first < most && digit_value(peek(at_)) < radix; ++at_)
        if (code <= 0x10ffff) code = code * radix + digit_value(peek(at_));
    if (at_ == first || (fixed && at_ - first < most))
        throw ReadError{"unknown escape in quotes", "write \\\\ for a backslash", start};
    if (!fixed && peek(at_) == '\\') ++at_;
    return code;
}

// Reads a number in any of its forms. A letter right after it is a mistake, not a new token.
void Tokenizer::number(Token& token) {
    const char next = peek(at_ + 1);
    const bool zero = text_[at_] == '0';
    if (zero && next == '\'') {
        character_code(token);
    } else if (const unsigned r = zero ? radix() : 10; r != 10) {
        at_ += 2;
        digits(token, r);
    } else if (!real(token)) {
        digits(token, 10);
        // 16'FF: a radix of one's own.
        if (token.kind == TokenKind::integer && token.integer >= 2 && token.integer <= 36 && peek(at_) == '\'' &&
            digit_value(peek(at_ + 1)) < token.integer) {
            ++at_;
            digits(token, static_cast<unsigned>(token.integer));
        }
    }
    const Class after = class_of(peek(at_));
    if (after == lower || after == upper || after == digit)
        throw ReadError{"a name cannot start with a digit", "put it in single quotes", token.begin};
}

// The radix of a number that starts with 0, when the text goes on as 0x, 0o or 0b and a digit.
unsigned Tokenizer::radix() const {
    const char mark = peek(at_ + 1);
    const unsigned radix = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
    return radix != 10 && digit_value(peek(at_ + 2)) < radix ? radix : 10;
}

// Reads digits in this radix. The value is an integer if it fits in 64 bits, and otherwise a big integer with its
// decimal digits as text.
void Tokenizer::digits(Token& token, unsigned radix) {
    const uint32_t first = at_;
    uint64_t value = 0;
    bool large = false;
    for (;; ++at_) {
        // 1_000_000: digit groups.
        if (peek(at_) == '_' && at_ > first && digit_value(peek(at_ + 1)) < radix) ++at_;
        const unsigned found = digit_value(peek(at_));
        if (found >= radix) break;
        large |= value > (UINT64_MAX - found) / radix;
        value = value * radix + found;
    }
    if (at_ - first > most_digits) too_many_digits(token);
    if (large || value > static_cast<uint64_t>(INT64_MAX)) {
        token.kind = TokenKind::big_integer;
        token.text = keep(decimal(text_.substr(first, at_ - first), radix));
    } else {
        token.kind = TokenKind::integer;
        token.integer = static_cast<int64_t>(value);
    }
}

// 0'c is the code of the character c; a quote is doubled or escaped.
void Tokenizer::character_code(Token& token) {
    const uint32_t start = at_;
    at_ += 2;
    const char c = peek(at_);
    std::string escaped;
    token.kind = TokenKind::integer;
    if (c == '\\' && escape(escaped)) {
        uint32_t after;
        token.integer = static_cast<int64_t>(code_point(escaped, 0, after));
    } else if (c == '\'' && peek(at_ + 1) == '\'') {
        token.integer = '\'';
        at_ += 2;
    } else if (c == '\'' || c == '\\' || c == '\n' || c == '\0') {
        throw ReadError{"0' needs a character after it", "write 0'a, or 0''' for a quote", start};
    } else {
        token.integer = static_cast<int64_t>(code_point(text_, at_, at_));
    }
}

// Reads 1.5, 2.0e-3, 1e10, 1.0Inf or 1.5NaN; false, having read nothing, when it is an integer.
bool Tokenizer::real(Token& token) {
    uint32_t at = at_;
    const auto skip_digits = [&] { while (is_digit(peek(at)) || (peek(at) == '_' && is_digit(peek(at + 1)))) ++at; };
    skip_digits();
    const bool fraction = peek(at) == '.' && is_digit(peek(at + 1));
    if (fraction) {
        ++at;
        skip_digits();
    }
    token.kind = TokenKind::real;
    if (const std::string_view special = text_.substr(at, 3); fraction && (special == "Inf" || special == "NaN")) {
        using limits = std::numeric_limits<double>;
        token.real = special == "Inf" ? limits::infinity() : limits::quiet_NaN();
        at_ = at + 3;
        return true;
    }
    const char sign = peek(at + 1);
    const uint32_t exponent = sign == '+' || sign == '-' ? at + 2 : at + 1;
    const bool scaled = (peek(at) == 'e' || peek(at) == 'E') && is_digit(peek(exponent));
    if (!fraction && !scaled) return false;
    if (scaled) {
        at = exponent;
        skip_digits();
    }
    if (at - at_ > most_digits) too_many_digits(token);
    token.real = real_value(text_.substr(at_, at - at_));
    if (std::isinf(token.real)) throw ReadError{"the number is too large for a float", "", token.begin};
    at_ = at;
    return true;
}

}  // namespace joiner
