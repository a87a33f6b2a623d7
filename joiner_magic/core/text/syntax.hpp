// Prolog clauses to parse nodes: operator precedence as in a standard Prolog reader.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "operators.hpp"
#include "tokens.hpp"

namespace joiner {

// A term nests at most this deep. The parser recurses once per level, and Python compares and
// hashes terms recursively, some four frames per level out of its thousand. Lists and
// conjunctions do not count: however long, they are one level.
constexpr uint16_t deepest = 200;

enum class NodeKind : uint8_t { variable, symbol, integer, big_integer, real, string, compound, list };

using NodeId = uint32_t;

struct Node {
    NodeKind kind;
    bool ground;
    uint16_t depth;
    uint32_t offset;        // where the term starts in the text
    uint32_t first, count;  // a compound's arguments; a list's items, then its tail
    std::string_view text;  // name, functor, string, or the digits of a big integer
    int64_t integer;
    double real;

    bool is(std::string_view functor, uint32_t arity) const {
        return kind == NodeKind::compound && count == arity && text == functor;
    }
};

// The nodes of one clause. Parts precede what they are part of, so one pass in order of the ids
// translates a clause to anything else without recursion.
struct Arena {
    std::vector<Node> nodes;
    std::vector<NodeId> parts;

    const NodeId* parts_of(const Node& node) const { return parts.data() + node.first; }
    const Node& part(const Node& node, uint32_t index) const { return nodes[parts_of(node)[index]]; }
};

// Reads clauses one by one. Nodes point to the text and to texts that the tokenizer keeps, so they are valid until the
// next clause is read. Throws ReadError.
class Parser {
  public:
    explicit Parser(std::string_view text, uint32_t offset = 0);

    // Reads up to the next "."; false at the end of the text. What was read before is dropped.
    bool next_clause();
    // Reads the whole text as one term, a final "." optional.
    void only_term();

    const Arena& arena() const { return arena_; }
    NodeId root() const { return root_; }
    const Node& root_node() const { return arena_.nodes[root_]; }
    uint32_t begin() const { return begin_; }
    uint32_t end() const { return token_.end; }  // just after the final "."

  private:
    struct Bracket {
        char open;  // 'f' for the parenthesis of an argument list
        uint32_t offset;
    };

    NodeId term(uint16_t most);
    NodeId operations(NodeId left, uint16_t priority, uint16_t most);
    NodeId operand(uint16_t most, uint16_t& priority);
    NodeId name(uint16_t most, uint16_t& priority);
    NodeId negative();
    NodeId arguments(std::string_view functor, uint32_t offset);
    NodeId conjunction(NodeId first);
    NodeId parenthesised();
    NodeId list();
    NodeId curly();
    NodeId codes();

    NodeId leaf(NodeKind kind);
    NodeId compound(std::string_view functor, uint32_t offset, const NodeId* args, uint32_t arity);
    NodeId sequence(uint32_t offset, const NodeId* items, uint32_t count, NodeId tail);
    NodeId push(Node node, const NodeId* parts, uint32_t count);

    void advance();
    void open(char bracket);
    void close();
    bool glued() const { return tokens_.peek(token_.end) == '('; }
    bool at_negative() const;
    bool stands_alone(const Operator& op) const;

    // What is wrong, in words for the person who wrote the text: see complaints.cpp.
    [[noreturn]] void missing_operand() const;
    [[noreturn]] void unexpected() const;
    [[noreturn]] void unexpected_in_bracket() const;
    [[noreturn]] void misplaced() const;
    [[noreturn]] void missing_end() const;
    [[noreturn]] void unclosed() const;
    [[noreturn]] void capitalised() const;
    [[noreturn]] void clash(const Token& op) const;
    [[noreturn]] void too_deep(uint32_t offset) const;
    std::string spelled(const Token& token) const;
    std::string opened() const;
    const char* hint() const;

    std::string_view text_;
    Tokenizer tokens_;
    Token token_;  // to be read next
    Token last_;   // read last
    Arena arena_;
    std::vector<NodeId> pending_;  // parts whose whole is still being read
    std::vector<Bracket> brackets_;
    uint16_t level_ = 0;
    NodeId root_ = 0;
    uint32_t begin_ = 0;
};

}  // namespace joiner
