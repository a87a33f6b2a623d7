// Reads a whole text: checks each clause, notes where it stands and which predicate it defines, and interns ground
// facts.
#include "reader.hpp"

#include <algorithm>

namespace joiner {

namespace {

constexpr uint16_t first_control = 600;  // from this priority on, operators are not for users to define

// Whether the node joins goals into one body, so that its parts are goals themselves.
bool is_control(const Node& node) {
    return node.kind == NodeKind::compound && node.count == 2 &&
           (node.text == "," || node.text == ";" || node.text == "->" || node.text == "*->" || node.text == "|");
}

// A kind of term in words, for messages. Only asked of terms that cannot be called.
std::string kind_name(NodeKind kind) {
    switch (kind) {
        case NodeKind::variable: return "a variable";
        case NodeKind::string: return "a string";
        case NodeKind::list: return "a list";
        default: return "a number";
    }
}

// Whether the term can be a predicate with its arguments.
bool callable(const Node& node) { return node.kind == NodeKind::symbol || node.kind == NodeKind::compound; }

// A head that is an operation: what is wrong with it depends on the operator.
[[noreturn]] void refuse_operator(const Node& head) {
    const std::string functor(head.text);
    std::string message = "a clause cannot define '" + functor + "', which is built in";
    std::string remedy;
    if (functor == "-->") {
        message = "grammar rules ('-->') are not supported";
        remedy = "write the clause with its two extra arguments";
    } else if (functor == "=>") {
        message = "rules with '=>' are not supported";
        remedy = "write ':-'";
    } else if (functor == ",") {
        message = "the head of a clause is one atom, not a conjunction";
        remedy = "write ':-' after the head of a rule, '.' after a fact";
    } else if (functor == ":") {
        message = "the head of a clause cannot name a module";
        remedy = "leave the module out";
    } else if (functor == "\\+") {
        message = "the head of a clause cannot be negated";
    } else if (head.count == 1 && functor != ":-" && functor != "?-") {
        message = "'" + functor + "' is a directive";
        remedy = "put ':-' before it";
    }
    throw ReadError{message, remedy, head.offset};
}

// Throws if the term cannot be the head of a clause.
void check_head(const Node& head) {
    if (!callable(head)) {
        const bool variable = head.kind == NodeKind::variable;
        throw ReadError{"a clause starts with a predicate, not with " + kind_name(head.kind),
                        variable ? "start the name with a lower-case letter, or put it in single quotes" : "",
                        head.offset};
    }
    const Operator* op = head.kind != NodeKind::compound ? nullptr
                         : head.count == 2               ? infix_operator(head.text)
                         : head.count == 1               ? prefix_operator(head.text)
                                                         : nullptr;
    if (op && op->priority >= first_control) refuse_operator(head);
    if (head.kind == NodeKind::symbol && (head.text == "!" || head.text == "[]"))
        throw ReadError{"a clause cannot define '" + std::string(head.text) + "'", "", head.offset};
}

// Every goal is something that can be called; a variable may stand for one.
void check_body(const Arena& arena, const Node& body) {
    std::vector<const Node*> todo{&body};
    while (!todo.empty()) {
        const Node& goal = *todo.back();
        todo.pop_back();
        if (is_control(goal)) {
            todo.push_back(&arena.part(goal, 1));
            todo.push_back(&arena.part(goal, 0));
        } else if (goal.is("\\+", 1)) {
            todo.push_back(&arena.part(goal, 0));
        } else if (goal.is("\\+", 2)) {
            throw ReadError{"\\+ negates one goal", "write \\+ (a, b), with a space before the '('", goal.offset};
        } else if (!callable(goal) && goal.kind != NodeKind::variable) {
            throw ReadError{"a goal is a predicate with its arguments, not " + kind_name(goal.kind), "", goal.offset};
        } else if (goal.is(":-", 2)) {
            throw ReadError{"a second ':-' in one clause", "", goal.offset};
        }
    }
}

}  // namespace

// Throws ReadError at the first mistake. Offsets are 32 bits wide, which limits the size of the text.
Reading::Reading(std::string text, Poll& poll) : text_(std::move(text)), lines_(text_) {
    if (text_.size() >= UINT32_MAX) throw ReadError{"the text is larger than 4 GB", "", 0};
    Parser parser(text_);
    while (parser.next_clause()) {
        poll.spend(parser.end() - parser.begin());
        add(parser);
    }
}

// The clause was read once without errors, so this cannot fail.
Parser Reading::parse(uint32_t index) const {
    Parser parser(text_, clauses_[index].begin);
    parser.next_clause();
    return parser;
}

// Notes the clause that the parser has just read. Directives have no predicate and are kept for whoever looks at them.
void Reading::add(const Parser& parser) {
    const Arena& arena = parser.arena();
    const Node& root = parser.root_node();
    ClauseInfo clause{parser.begin(), parser.end(), no_predicate, 0, ClauseKind::fact, false};
    const Node* head = &root;
    if (root.is(":-", 1) || root.is("?-", 1)) {
        clause.kind = ClauseKind::directive;
    } else {
        if (root.is(":-", 2)) {
            clause.kind = ClauseKind::rule;
            head = &arena.part(root, 0);
            check_body(arena, arena.part(root, 1));
        }
        check_head(*head);
        clause.predicate = predicate_of(*head);
        clause.ground = clause.kind == ClauseKind::fact && head->ground;
        clause.first_arg = static_cast<uint32_t>(args_.size());
        PredicateInfo& predicate = predicates_[clause.predicate];
        if (clause.ground) {
            intern(arena, *head);
            ++predicate.facts;
            predicate.ground.push_back(static_cast<uint32_t>(clauses_.size()));
        } else {
            predicate.rules.push_back(static_cast<uint32_t>(clauses_.size()));
        }
    }
    clauses_.push_back(clause);
}

// The number of the head's predicate, which is registered when it is first met.
uint32_t Reading::predicate_of(const Node& head) {
    const uint32_t arity = head.kind == NodeKind::compound ? head.count : 0;
    const uint64_t key = uint64_t(bank_.symbol(head.text)) << 32 | arity;
    const auto [found, fresh] = numbers_.try_emplace(key, static_cast<uint32_t>(predicates_.size()));
    if (fresh) {
        by_name_.emplace(std::make_pair(std::string(head.text), arity), found->second);
        predicates_.push_back({std::string(head.text), arity, 0, static_cast<uint32_t>(clauses_.size()), {}, {}});
    }
    return found->second;
}

const PredicateInfo* Reading::predicate(const std::string& name, uint32_t arity) const {
    const auto found = by_name_.find({name, arity});
    return found == by_name_.end() ? nullptr : &predicates_[found->second];
}

// Interns everything inside the head; parts come first, so their ids are known in time.
// Nodes after the head belong to no part of it.
void Reading::intern(const Arena& arena, const Node& head) {
    std::vector<TermId> parts;
    ids_.clear();
    for (const Node& node : arena.nodes) {
        if (&node == &head) break;
        TermId id = no_term;
        parts.clear();
        for (uint32_t i = 0; i < node.count; ++i) parts.push_back(ids_[arena.parts_of(node)[i]]);
        switch (node.kind) {
            case NodeKind::symbol: id = bank_.symbol(node.text); break;
            case NodeKind::integer: id = bank_.integer(node.integer); break;
            case NodeKind::big_integer: id = bank_.big_integer(node.text); break;
            case NodeKind::real: id = bank_.real(node.real); break;
            case NodeKind::string: id = bank_.string(node.text); break;
            case NodeKind::compound: id = bank_.compound(node.text, parts.data(), node.count); break;
            case NodeKind::list: id = list_of(bank_, parts); break;
            case NodeKind::variable: break;  // never: the head is ground
        }
        ids_.push_back(id);
    }
    for (uint32_t i = 0; i < head.count; ++i) args_.push_back(ids_[arena.parts_of(head)[i]]);
}

// Built from the end, so that no recursion is needed however long the list is.
TermId list_of(TermBank& bank, const std::vector<TermId>& items_and_tail) {
    TermId rest = items_and_tail.back();
    for (size_t i = items_and_tail.size() - 1; i-- > 0;) {
        const TermId cell[] = {items_and_tail[i], rest};
        rest = bank.compound(list_functor, cell, 2);
    }
    return rest;
}

// Where the lines start. Whether the text is ASCII is found out once, as columns are then differences of offsets.
Lines::Lines(std::string_view text)
    : text_(text), starts_{0}, ascii_(std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; })) {
    for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
        starts_.push_back(static_cast<uint32_t>(at + 1));
}

// The offset must not be beyond the end of the text.
std::pair<uint32_t, uint32_t> Lines::position(uint32_t offset) const {
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
    const uint32_t start = *(after - 1);
    uint32_t column = offset - start;
    if (!ascii_)  // bytes that continue a code point do not count
        column -= static_cast<uint32_t>(std::count_if(text_.begin() + start, text_.begin() + offset,
                                                      [](char c) { return (c & 0xc0) == 0x80; }));
    return {static_cast<uint32_t>(after - starts_.begin()), column + 1};
}

}  // namespace joiner
