// Prolog text to tokens: words, symbols, numbers, quoted texts, brackets and the final ".".
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

namespace joiner {

// What is wrong with a text, where (a byte offset), and what to do about it.
struct ReadError {
    std::string message;
    std::string remedy;
    uint32_t offset;
};

enum class TokenKind : uint8_t {
    name,         // an atom as written: a word, a run of symbol characters, "!" or ";"
    quoted,       // an atom in quotes, which is never an operator
    variable,
    integer,
    big_integer,  // beyond 64 bits: `text` holds its decimal digits
    real,
    string,       // "…"
    codes,        // `…`, a list of character codes
    punctuation,  // one of ( ) [ ] { } , |
    end,          // the "." that ends a clause
    finish,       // nothing is left
};

// A token and where it stands, as byte offsets. Only the value that belongs to its kind is set.
struct Token {
    TokenKind kind = TokenKind::finish;
    bool new_line = false;  // first on its line
    uint32_t begin = 0;
    uint32_t end = 0;
    std::string_view text;  // without quotes, escapes resolved
    int64_t integer = 0;
    double real = 0;

    bool is(char punctuation) const { return kind == TokenKind::punctuation && text[0] == punctuation; }
};

// Gives the tokens of a text one by one. The text must outlive it, and be valid UTF-8. Throws ReadError.
class Tokenizer {
  public:
    explicit Tokenizer(std::string_view text, uint32_t offset = 0) : text_(text), at_(offset) {}
    // Tokens point to the texts kept here, which moving leaves in place and copying would not.
    Tokenizer(Tokenizer&&) = default;
    Tokenizer(const Tokenizer&) = delete;

    Token next();
    // Texts that differ from their spelling are kept until they are forgotten.
    std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }
    void forget() { kept_.clear(); }
    char peek(uint32_t at) const { return at < text_.size() ? text_[at] : '\0'; }

  private:
    bool skip_layout();
    void word(Token& token, TokenKind kind);
    void symbols(Token& token);
    void foreign(Token& token);
    void quoted(Token& token, char quote);
    bool escape(std::string& out);
    char32_t numeric_escape(uint32_t start);
    void number(Token& token);
    void digits(Token& token, unsigned radix);
    void character_code(Token& token);
    bool real(Token& token);
    unsigned radix() const;

    std::string_view text_;
    uint32_t at_;
    std::deque<std::string> kept_;
};

}  // namespace joiner
