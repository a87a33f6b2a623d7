// What the parser says about a text it cannot read: the likely mistake, where it was made, and a remedy.
// The functions throw ReadError. They look at the token that did not fit (`token_`), the one before it (`last_`) and
// the open brackets. The more likely mistakes are looked for first.
#include <algorithm>

#include "syntax.hpp"

namespace joiner {

namespace {

struct Hint {
    std::string_view written;
    const char* remedy;
};

// Spellings of other languages, answer set programming above all.
constexpr Hint hints[] = {
    {"<=", "write =< for less or equal"},
    {"!=", "write \\= for different terms, =\\= for different numbers"},
    {"<>", "write \\= for different terms, =\\= for different numbers"},
    {"..", "Prolog has no intervals: write one fact for each value"},
    {"not", "write \\+ for negation"},
    {"#", "statements of answer set programming are not Prolog: remove the line"},
    {"&", "write a comma between goals"},
    {"&&", "write a comma between goals"},
    {"<-", "write :- between head and body"},
};

// The bracket that closes this one; 'f' stands for the parenthesis of an argument list.
char closing(char open) { return open == '[' ? ']' : open == '{' ? '}' : ')'; }

// Whether a term can start with this token.
bool starts_term(const Token& token) {
    return token.kind != TokenKind::end && token.kind != TokenKind::finish &&
           (token.kind != TokenKind::punctuation || token.is('(') || token.is('[') || token.is('{'));
}

}  // namespace

// A token as the user wrote it, in quotes; long ones are cut.
std::string Parser::spelled(const Token& token) const {
    constexpr uint32_t longest = 20;
    if (token.kind == TokenKind::finish) return "the end of the text";
    std::string out(text_.substr(token.begin, token.end - token.begin));
    if (out.size() > longest) {
        size_t cut = longest;
        while ((out[cut] & 0xc0) == 0x80) --cut;  // not within a character
        out = out.substr(0, cut) + "…";
    }
    return "'" + out + "'";
}

// The innermost open bracket and the line it is on.
std::string Parser::opened() const {
    const Bracket& bracket = brackets_.back();
    const auto line = 1 + std::count(text_.begin(), text_.begin() + bracket.offset, '\n');
    return std::string("'") + text_[bracket.offset] + "' opened at line " + std::to_string(line);
}

// A remedy for something that is written differently in other languages, or an empty text.
const char* Parser::hint() const {
    const std::string_view last = text_.substr(last_.begin, last_.end - last_.begin);
    const std::string_view rest = text_.substr(token_.begin, std::max<uint32_t>(token_.end - token_.begin, 2));
    for (const Hint& hint : hints)
        if (last == hint.written || token_.text == hint.written || (hint.written == "!=" && rest == "!="))
            return hint.remedy;
    return "";
}

// A term was expected, and the token cannot start one.
void Parser::missing_operand() const {
    const bool over = token_.kind == TokenKind::end || token_.kind == TokenKind::finish;
    if (over && !brackets_.empty()) unclosed();
    const bool separated = last_.is(',') || last_.is('(') || last_.is('[') || last_.is('|');
    const char open = brackets_.empty() ? ' ' : brackets_.back().open;
    if (separated && open == 'f') {
        const bool none = last_.is('(') && token_.is(')');
        throw ReadError{"expected an argument, found " + spelled(token_),
                        none ? "write a name without arguments without parentheses" : "", token_.begin};
    }
    if (separated && open == '[')
        throw ReadError{"expected an item of the list, found " + spelled(token_), "", token_.begin};
    if (last_.kind == TokenKind::name || last_.is(','))
        throw ReadError{"expected a term after " + spelled(last_) + ", found " + spelled(token_), "", token_.begin};
    throw ReadError{"expected a term, found " + spelled(token_), "", token_.begin};
}

// A term is complete, and what follows neither extends it nor ends it.
void Parser::unexpected() const {
    if (!brackets_.empty()) unexpected_in_bracket();
    if (token_.kind == TokenKind::finish) missing_end();
    if (token_.kind == TokenKind::punctuation && !starts_term(token_))
        throw ReadError{spelled(token_) + " without an opening bracket", "", token_.begin};
    if (token_.text == "." && token_.kind == TokenKind::name)
        throw ReadError{"a '.' that ends a clause is followed by a space or a new line", "add a space after it",
                        token_.begin};
    if (token_.new_line && starts_term(token_) && !infix_operator(token_.text)) missing_end();
    misplaced();
}

// The same within a bracket: it may be unclosed, closed by the wrong bracket, or lack a comma.
void Parser::unexpected_in_bracket() const {
    if (token_.kind == TokenKind::end || token_.kind == TokenKind::finish) unclosed();
    if (token_.kind == TokenKind::punctuation && !starts_term(token_))
        throw ReadError{"expected '" + std::string(1, closing(brackets_.back().open)) + "' to close " + opened() +
                            ", found " + spelled(token_), "", token_.begin};
    if (token_.new_line && !infix_operator(token_.text))
        throw ReadError{"missing comma, or unclosed " + opened(), "", last_.end};
    misplaced();
}

// A token that cannot stand after the complete term before it.
void Parser::misplaced() const {
    const std::string_view written = token_.text;
    if (brackets_.empty() && written == ":-")
        throw ReadError{"a second ':-' in one clause", "end the clause before it with '.'", token_.begin};
    if (!written.empty() && written.back() == '.' && infix_operator(written.substr(0, written.size() - 1)))
        throw ReadError{"expected a term between the operator and the '.'", "", token_.end - 1};
    if (token_.kind == TokenKind::name && infix_operator(written)) clash(token_);
    const std::string_view symbols = "#$&*+-./:<=>?@\\^~";
    if (token_.kind == TokenKind::name && symbols.find(written[0]) != std::string_view::npos)
        throw ReadError{spelled(token_) + " is not an operator", hint(), token_.begin};
    throw ReadError{"two terms next to each other: a comma or an operator is missing", hint(), token_.begin};
}

// Two operators whose priorities do not allow them next to each other.
void Parser::clash(const Token& op) const {
    throw ReadError{"the operator " + spelled(op) + " does not combine with what is before it", "add parentheses",
                    op.begin};
}

// The mistake is reported at the end of the clause, not where the next one begins.
void Parser::missing_end() const {
    throw ReadError{"missing '.' at the end of the clause", "", last_.end};
}

void Parser::unclosed() const {
    throw ReadError{"unclosed " + opened(), std::string("add the missing '") + closing(brackets_.back().open) + "'",
                    brackets_.back().offset};
}

// A capitalised name before a parenthesis would be a variable as functor, which Prolog does not have.
void Parser::capitalised() const {
    std::string remedy = "start it with a lower-case letter or put it in single quotes";
    const std::string_view written = token_.text;
    if (written.size() <= 40 && written[0] >= 'A' && written[0] <= 'Z') {
        std::string small(written);
        small[0] = static_cast<char>(small[0] - 'A' + 'a');
        remedy = "write " + small + "(...) or quote it: '" + std::string(written) + "'(...)";
    }
    throw ReadError{"predicate names start with a lower-case letter", remedy, token_.begin};
}

void Parser::too_deep(uint32_t offset) const {
    throw ReadError{"a term nests more than " + std::to_string(deepest) + " levels deep", "", offset};
}

}  // namespace joiner
