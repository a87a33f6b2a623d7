// The parser: operator precedence by recursive descent. Long lists and conjunctions are read by loops, so that the
// depth of the recursion is bounded by the nesting of the text. Mistakes are reported by complaints.cpp.
#include "syntax.hpp"

#include <algorithm>

#include "characters.hpp"

namespace joiner {

namespace {

constexpr uint16_t clause_priority = 1200;
constexpr uint16_t argument_priority = 999;  // just below the comma
constexpr uint16_t comma_priority = 1000;

}  // namespace

Parser::Parser(std::string_view text, uint32_t offset) : text_(text), tokens_(text, offset) {}

// The nodes of the clause before are dropped, but their memory is used again.
bool Parser::next_clause() {
    tokens_.forget();
    arena_.nodes.clear();
    arena_.parts.clear();
    last_ = Token{};
    token_ = tokens_.next();
    if (token_.kind == TokenKind::finish) return false;
    begin_ = token_.begin;
    root_ = term(clause_priority);
    if (token_.kind != TokenKind::end) unexpected();
    return true;
}

// For a parser that was just made.
void Parser::only_term() {
    token_ = tokens_.next();
    begin_ = token_.begin;
    root_ = term(clause_priority);
    if (token_.kind == TokenKind::end) advance();
    if (token_.kind != TokenKind::finish) unexpected();
}

// Reads a term of at most this priority.
NodeId Parser::term(uint16_t most) {
    if (++level_ > deepest) too_deep(token_.begin);
    uint16_t priority = 0;
    const NodeId first = operand(most, priority);
    const NodeId whole = operations(first, priority, most);
    --level_;
    return whole;
}

// Extends `left`, a term of some priority, by the infix operators that follow it.
// An operator extends the term if it is not above `most` and takes a left operand of this priority.
NodeId Parser::operations(NodeId left, uint16_t priority, uint16_t most) {
    for (;;) {
        const bool candidate = token_.kind == TokenKind::name || token_.is(',') || token_.is('|');
        const Operator* op = candidate ? infix_operator(token_.text) : nullptr;
        if (!op || op->priority > most || priority > op->left) return left;
        priority = op->priority;
        if (token_.is(',')) {
            left = conjunction(left);
            continue;
        }
        advance();
        const NodeId args[] = {left, term(op->right)};
        left = compound(op->name, arena_.nodes[left].offset, args, 2);
    }
}

// Reads a term without the infix operators that may follow it. `priority` is set if it is an operation of a prefix
// operator, and stays 0 otherwise.
NodeId Parser::operand(uint16_t most, uint16_t& priority) {
    switch (token_.kind) {
        case TokenKind::name: return name(most, priority);
        case TokenKind::variable:
            if (glued()) capitalised();
            return leaf(NodeKind::variable);
        case TokenKind::quoted: {
            const Token at = token_;
            if (!glued()) return leaf(NodeKind::symbol);
            advance();
            return arguments(at.text, at.begin);
        }
        case TokenKind::integer: return leaf(NodeKind::integer);
        case TokenKind::big_integer: return leaf(NodeKind::big_integer);
        case TokenKind::real: return leaf(NodeKind::real);
        case TokenKind::string: return leaf(NodeKind::string);
        case TokenKind::codes: return codes();
        case TokenKind::punctuation:
            if (token_.is('(')) return parenthesised();
            if (token_.is('[')) return list();
            if (token_.is('{')) return curly();
            missing_operand();
        default: missing_operand();
    }
}

// An unquoted name: a functor, the sign of a number, a prefix operator, or a plain symbol.
NodeId Parser::name(uint16_t most, uint16_t& priority) {
    const Token at = token_;
    if (glued()) {
        advance();
        return arguments(at.text, at.begin);
    }
    if (at_negative()) return negative();
    const Operator* op = prefix_operator(at.text);
    const NodeId symbol = leaf(NodeKind::symbol);
    if (!op || stands_alone(*op)) return symbol;
    // An argument may be an operation of any priority, f(:- a); an operand may not, X = \+ a.
    if (op->priority > most && most < argument_priority) clash(at);
    priority = std::min(op->priority, most);
    const NodeId arg = term(std::min(op->right, most));
    return compound(op->name, at.begin, &arg, 1);
}

// Whether the prefix operator just read is a plain symbol, seen from the token after it.
bool Parser::stands_alone(const Operator& op) const {
    switch (token_.kind) {
        case TokenKind::end:
        case TokenKind::finish: return true;
        case TokenKind::punctuation: return !token_.is('(') && !token_.is('[') && !token_.is('{');
        case TokenKind::name: {
            if (!infix_operator(token_.text) || glued() || at_negative()) return false;
            const Operator* other = prefix_operator(token_.text);
            return !other || other->priority > op.right;
        }
        default: return false;
    }
}

// Whether the current token, where a term is expected, is the sign of a number.
bool Parser::at_negative() const {
    return token_.kind == TokenKind::name && token_.text == "-" && is_digit(tokens_.peek(token_.end));
}

// The sign and the digits after it become one number, as in standard Prolog. The token is changed in place.
NodeId Parser::negative() {
    const uint32_t begin = token_.begin;
    advance();
    token_.begin = begin;
    if (token_.kind == TokenKind::integer) {
        token_.integer = -token_.integer;
        return leaf(NodeKind::integer);
    }
    if (token_.kind == TokenKind::real) {
        token_.real = -token_.real;
        return leaf(NodeKind::real);
    }
    if (token_.text == "9223372036854775808") {  // only as a negative does it fit in 64 bits
        token_.integer = INT64_MIN;
        return leaf(NodeKind::integer);
    }
    token_.text = tokens_.keep("-" + std::string(token_.text));
    return leaf(NodeKind::big_integer);
}

// Reads the arguments of a functor from the opening parenthesis on. `pending_` serves as a stack for nested terms.
NodeId Parser::arguments(std::string_view functor, uint32_t offset) {
    const size_t base = pending_.size();
    open('f');
    for (;;) {
        pending_.push_back(term(argument_priority));
        if (!token_.is(',')) break;
        advance();
    }
    close();
    const NodeId whole = compound(functor, offset, &pending_[base], static_cast<uint32_t>(pending_.size() - base));
    pending_.resize(base);
    return whole;
}

// A chain of commas nests to the right. It is folded here, not by recursion, so that a body can
// have any number of literals.
NodeId Parser::conjunction(NodeId first) {
    const size_t base = pending_.size();
    pending_.push_back(first);
    while (token_.is(',')) {
        advance();
        pending_.push_back(term(argument_priority));
    }
    NodeId whole = pending_.back();
    pending_.pop_back();
    while (pending_.size() > base) {
        const NodeId args[] = {pending_.back(), whole};
        pending_.pop_back();
        whole = compound(",", arena_.nodes[args[0]].offset, args, 2);
    }
    return whole;
}

// Parentheses leave no trace: what is inside has priority 0 outside.
NodeId Parser::parenthesised() {
    open('(');
    const NodeId inside = term(clause_priority);
    close();
    return inside;
}

// Reads a list. An empty one is the symbol [], which may also be a functor.
NodeId Parser::list() {
    const uint32_t offset = token_.begin;
    const size_t base = pending_.size();
    open('[');
    if (token_.is(']')) {
        close();
        if (tokens_.peek(last_.end) == '(') return arguments("[]", offset);
        return push({NodeKind::symbol, true, 0, offset, 0, 0, "[]", 0, 0}, nullptr, 0);
    }
    for (;;) {
        pending_.push_back(term(argument_priority));
        if (!token_.is(',')) break;
        advance();
    }
    NodeId tail;
    if (token_.is('|')) {
        advance();
        tail = term(argument_priority);
    } else {
        tail = push({NodeKind::symbol, true, 0, token_.begin, 0, 0, "[]", 0, 0}, nullptr, 0);
    }
    close();
    const NodeId whole = sequence(offset, &pending_[base], static_cast<uint32_t>(pending_.size() - base), tail);
    pending_.resize(base);
    return whole;
}

// Reads {} or {Term}, which is a compound with the functor {}.
NodeId Parser::curly() {
    const uint32_t offset = token_.begin;
    open('{');
    if (token_.is('}')) {
        close();
        if (tokens_.peek(last_.end) == '(') return arguments("{}", offset);
        return push({NodeKind::symbol, true, 0, offset, 0, 0, "{}", 0, 0}, nullptr, 0);
    }
    const NodeId inside = term(clause_priority);
    close();
    return compound("{}", offset, &inside, 1);
}

// Back-quoted text: a list of character codes.
NodeId Parser::codes() {
    const Token at = token_;
    advance();
    std::vector<NodeId> items;
    for (uint32_t i = 0; i < at.text.size();) {
        const int64_t code = static_cast<int64_t>(code_point(at.text, i, i));
        items.push_back(push({NodeKind::integer, true, 0, at.begin, 0, 0, {}, code, 0}, nullptr, 0));
    }
    const NodeId tail = push({NodeKind::symbol, true, 0, at.begin, 0, 0, "[]", 0, 0}, nullptr, 0);
    return items.empty() ? tail : sequence(at.begin, items.data(), static_cast<uint32_t>(items.size()), tail);
}

// The current token as a node of its own.
NodeId Parser::leaf(NodeKind kind) {
    const bool ground = kind != NodeKind::variable;
    const Node node{kind, ground, 0, token_.begin, 0, 0, token_.text, token_.integer, token_.real};
    const NodeId id = push(node, nullptr, 0);
    advance();
    return id;
}

// A compound term. A list cell that is written out becomes a list, so equal terms have equal nodes.
NodeId Parser::compound(std::string_view functor, uint32_t offset, const NodeId* args, uint32_t arity) {
    if (arity == 2 && functor == "[|]") return sequence(offset, args, 1, args[1]);
    return push({NodeKind::compound, true, 0, offset, 0, 0, functor, 0, 0}, args, arity);
}

// A list of items and a tail; a tail that is a list itself becomes part of it.
NodeId Parser::sequence(uint32_t offset, const NodeId* items, uint32_t count, NodeId tail) {
    std::vector<NodeId> parts(items, items + count);
    if (const Node& rest = arena_.nodes[tail]; rest.kind == NodeKind::list)
        parts.insert(parts.end(), arena_.parts_of(rest), arena_.parts_of(rest) + rest.count);
    else
        parts.push_back(tail);
    const uint32_t size = static_cast<uint32_t>(parts.size());
    return push({NodeKind::list, true, 0, offset, 0, 0, {}, 0, 0}, parts.data(), size);
}

// Appends a node with its parts, and finds out whether it is ground and how deep it nests.
NodeId Parser::push(Node node, const NodeId* parts, uint32_t count) {
    node.first = static_cast<uint32_t>(arena_.parts.size());
    node.count = count;
    // The rest of a list or of a conjunction is on the level of what comes before it.
    const bool flat = node.kind == NodeKind::list || (count == 2 && node.text == ",");
    for (uint32_t i = 0; i < count; ++i) {
        const Node& part = arena_.nodes[parts[i]];
        node.ground &= part.ground;
        node.depth = std::max<uint16_t>(node.depth, part.depth + (flat && i + 1 == count ? 0 : 1));
    }
    if (node.depth > deepest) too_deep(node.offset);
    arena_.parts.insert(arena_.parts.end(), parts, parts + count);
    arena_.nodes.push_back(node);
    return static_cast<NodeId>(arena_.nodes.size() - 1);
}

void Parser::advance() {
    last_ = token_;
    token_ = tokens_.next();
}

// Notes the bracket, for messages about it, and goes to the token after it.
void Parser::open(char bracket) {
    brackets_.push_back({bracket, token_.begin});
    advance();
}

// Goes past the bracket that closes the innermost open one.
void Parser::close() {
    const char open = brackets_.back().open;
    if (!token_.is(open == '[' ? ']' : open == '{' ? '}' : ')')) unexpected();
    brackets_.pop_back();
    advance();
}

}  // namespace joiner
