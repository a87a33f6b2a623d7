// The planner: turns a rule into a tree of look-ups, branches and independent parts. Choices depend on what is bound at
// each place and on how far the relations fan out.
#include "plan.hpp"

#include <algorithm>
#include <limits>

namespace joiner {

// Begins a new plan in which no variable is bound.
void Planner::start(const Rule& rule) {
    rule_ = &rule;
    plan_ = Plan();
    plan_.variables = rule.variables;
    bound_.assign(rule.variables, 0);
}

// Appends a node to the plan and gives its number. Children are pushed before their parents or patched in later.
uint32_t Planner::push(PlanNode node) {
    plan_.nodes.push_back(std::move(node));
    return static_cast<uint32_t>(plan_.nodes.size() - 1);
}

// The arguments whose values are known when the literal is reached: constants and bound variables.
Columns Planner::bound_mask(const Literal& literal) const {
    Columns mask = 0;
    for (uint32_t i = 0; i < literal.args.size(); ++i)
        if (!literal.args[i].is_variable || bound_[literal.args[i].value]) mask |= Columns(1) << i;
    return mask;
}

// From here on the variables of the literal count as bound.
void Planner::bind(uint32_t literal) {
    for (const Arg& arg : rule_->body[literal].args)
        if (arg.is_variable) bound_[arg.value] = 1;
}

// How many rows the literal has on average, given what is bound. This may build an index, which the plan will need
// anyway if the literal is chosen.
double Planner::fanout(const Literal& literal) {
    const Columns mask = bound_mask(literal);
    if (literal.predicate < 0) return literal.relation->index(mask).fanout();
    // A call's answers are not known yet: prefer facts, and calls with an argument bound.
    return mask ? 1e3 : 1e9;
}

// The literal with the fewest rows per binding. Branching there first keeps the number of tries small.
uint32_t Planner::cheapest(const Literals& literals) {
    uint32_t best = literals.front();
    double cost = std::numeric_limits<double>::infinity();
    for (uint32_t l : literals)
        if (const double c = fanout(rule_->body[l]); c < cost) { cost = c; best = l; }
    return best;
}

// Literals that share unbound variables, directly or through others, stay together.
// A flood fill: literals are taken into the component as long as they have an unbound variable that it has reached.
// Literals without unbound variables are components of their own.
std::vector<Planner::Literals> Planner::components(const Literals& literals) {
    std::vector<Literals> result;
    std::vector<char> taken(literals.size(), 0);
    std::vector<char> reached(bound_.size(), 0);
    for (size_t i = 0; i < literals.size(); ++i) {
        if (taken[i]) continue;
        Literals component;
        std::vector<size_t> todo{i};
        taken[i] = 1;
        while (!todo.empty()) {
            const size_t at = todo.back();
            todo.pop_back();
            component.push_back(literals[at]);
            for (const Arg& arg : rule_->body[literals[at]].args)
                if (arg.is_variable && !bound_[arg.value]) reached[arg.value] = 1;
            for (size_t j = 0; j < literals.size(); ++j) {
                if (taken[j]) continue;
                for (const Arg& arg : rule_->body[literals[j]].args)
                    if (arg.is_variable && !bound_[arg.value] && reached[arg.value]) {
                        taken[j] = 1;
                        todo.push_back(j);
                        break;
                    }
            }
        }
        std::sort(component.begin(), component.end());
        result.push_back(std::move(component));
    }
    return result;
}

// The node that finds a literal's rows, given what is bound now; with `bind` it also binds the rest.
// Bound arguments make the key of the look-up, the others become slots. A variable in two slots is bound by the first
// and compared at the second.
uint32_t Planner::lookup(uint32_t l, bool bind) {
    const Literal& literal = rule_->body[l];
    const Columns mask = bound_mask(literal);
    PlanNode node{bind ? PlanKind::branch : PlanKind::test};
    if (literal.predicate >= 0) {
        node.pure = false;
        node.pattern = patterns_->pattern(static_cast<uint32_t>(literal.predicate), mask);
    } else {
        node.index = &literal.relation->index(mask);
    }
    std::vector<uint32_t> seen;
    for (uint32_t i = 0; i < literal.args.size(); ++i) {
        const Arg& arg = literal.args[i];
        if ((mask >> i) & 1) {
            node.key.push_back(arg);
        } else {
            const bool again = std::find(seen.begin(), seen.end(), arg.value) != seen.end();
            node.slots.push_back({arg.value, again});
            seen.push_back(arg.value);
        }
    }
    // Rows exist, but which fit is known only after comparing repeated variables.
    for (const Slot& slot : node.slots)
        if (slot.compare) node.kind = PlanKind::branch;
    return push(std::move(node));
}

// Gives the node a cache by context: the bound variables that its literals mention. Whether the component holds depends
// on nothing else.
void Planner::remember(PlanNode& node, const Literals& literals) {
    for (uint32_t l : literals)
        for (const Arg& arg : rule_->body[l].args)
            if (arg.is_variable && bound_[arg.value]) node.context.push_back(arg.value);
    std::sort(node.context.begin(), node.context.end());
    node.context.erase(std::unique(node.context.begin(), node.context.end()), node.context.end());
    node.cache = static_cast<int32_t>(plan_.caches++);
}

// A conjunction of literals: its independent parts, the cheap ones first.
// `nested` says whether the same context can be met again, so that caching pays.
uint32_t Planner::conjunction(const Literals& literals, bool nested) {
    auto parts = components(literals);
    if (parts.size() == 1) return part(parts[0], nested);
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Literals& a, const Literals& b) { return a.size() < b.size(); });
    PlanNode node{PlanKind::all};
    for (const auto& literals_of_part : parts) {
        const uint32_t child = part(literals_of_part, nested);
        node.pure = node.pure && plan_.nodes[child].pure;
        node.children.push_back(child);
    }
    return push(std::move(node));
}

// One component: a look-up when it is a single literal, else a branch on its cheapest literal.
// What remains after the branch may fall apart into components, each of which is planned by itself. The variables that
// the branch binds are unbound again afterwards, since other parts do not see them.
uint32_t Planner::part(const Literals& literals, bool nested) {
    if (literals.size() == 1) return lookup(literals[0], false);
    const uint32_t chosen = cheapest(literals);
    const uint32_t id = lookup(chosen, true);
    // Below the top level the same context can come back; at the top each one is asked once.
    if (nested) remember(plan_.nodes[id], literals);
    Literals rest(literals);
    rest.erase(std::find(rest.begin(), rest.end(), chosen));
    const std::vector<char> before = bound_;
    bind(chosen);
    const uint32_t child = conjunction(rest, true);
    bound_ = before;
    plan_.nodes[id].children.push_back(child);
    plan_.nodes[id].pure = plan_.nodes[id].pure && plan_.nodes[child].pure;
    return id;
}

namespace {

// What decides which examples satisfy a literal: its relation, and for each argument the head
// argument it equals, the constant it is, or which of the literal's own variables it is.
std::vector<uint64_t> literal_key(const Rule& rule, const Literal& literal) {
    std::vector<uint64_t> key{reinterpret_cast<uint64_t>(literal.relation)};
    std::vector<uint32_t> own;
    for (const Arg& arg : literal.args) {
        const auto same = [&](const Arg& head) { return head.is_variable && head.value == arg.value; };
        const auto head = std::find_if(rule.head.begin(), rule.head.end(), same);
        if (!arg.is_variable) {
            key.push_back(uint64_t(1) << 32 | arg.value);
        } else if (head != rule.head.end()) {
            key.push_back(uint64_t(2) << 32 | uint64_t(head - rule.head.begin()));
        } else {
            const auto seen = std::find(own.begin(), own.end(), arg.value);
            key.push_back(uint64_t(3) << 32 | uint64_t(seen - own.begin()));
            if (seen == own.end()) own.push_back(arg.value);
        }
    }
    return key;
}

}  // namespace

// A component of a rule that is tested on examples, with the head arguments that number its contexts. Rules share
// components of one literal, so these get a key by which their answers are remembered.
Root Planner::root(const Literals& literals) {
    Root root{part(literals, false), 0, {}, {}};
    if (literals.size() == 1) root.key = literal_key(*rule_, rule_->body[literals[0]]);
    std::vector<char> used(rule_->variables, 0);
    for (uint32_t l : literals)
        for (const Arg& arg : rule_->body[l].args)
            if (arg.is_variable) used[arg.value] = 1;
    for (uint32_t i = 0; i < rule_->head.size(); ++i) {
        const Arg& arg = rule_->head[i];
        if (!arg.is_variable || !used[arg.value]) continue;
        used[arg.value] = 0;  // a repeated head variable is seen through its first argument
        root.mask |= Columns(1) << i;
        root.variables.push_back(arg.value);
    }
    return root;
}

// A plan for testing a rule on examples: all head variables are bound, and the body falls into components that are
// tested one after the other, the small ones first.
Plan Planner::for_examples(const Rule& rule) {
    start(rule);
    for (const Arg& arg : rule.head)
        if (arg.is_variable) bound_[arg.value] = 1;
    Literals all(rule.body.size());
    for (uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    auto parts = components(all);
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Literals& a, const Literals& b) { return a.size() < b.size(); });
    for (const auto& literals : parts) plan_.roots.push_back(root(literals));
    return std::move(plan_);
}

// Answers to a call: enumerate only what the free head arguments need, test everything else.
// `mask` has the head arguments that the call gives. Each stage first checks the components that can be decided without
// enumeration. Then it branches on a literal that brings a needed variable nearer. If no literal is left for a needed
// variable, that variable ranges over all terms. The last stage has nothing to branch on.
Plan Planner::for_calls(const Rule& rule, Columns mask) {
    start(rule);
    std::vector<char> needed(rule.variables, 0);
    for (uint32_t i = 0; i < rule.head.size(); ++i)
        if (rule.head[i].is_variable) ((mask >> i) & 1 ? bound_ : needed)[rule.head[i].value] = 1;
    Literals left(rule.body.size());
    for (uint32_t i = 0; i < left.size(); ++i) left[i] = i;
    while (true) {
        Literals checked, open;
        for (const auto& component : components(left)) {
            const bool enumerate = std::any_of(component.begin(), component.end(), [&](uint32_t l) {
                const auto& args = rule.body[l].args;
                return std::any_of(args.begin(), args.end(), [&](const Arg& a) {
                    return a.is_variable && needed[a.value] && !bound_[a.value];
                });
            });
            auto& side = enumerate ? open : checked;
            side.insert(side.end(), component.begin(), component.end());
        }
        Stage stage;
        if (!checked.empty()) stage.check = static_cast<int32_t>(conjunction(checked, true));
        if (!open.empty()) {
            const uint32_t chosen = cheapest(open);
            stage.branch = static_cast<int32_t>(lookup(chosen, true));
            bind(chosen);
            open.erase(std::find(open.begin(), open.end(), chosen));
        } else {
            for (uint32_t v = 0; v < rule.variables && stage.domain < 0; ++v)
                if (needed[v] && !bound_[v]) { stage.domain = static_cast<int32_t>(v); bound_[v] = 1; }
        }
        plan_.stages.push_back(stage);
        if (stage.branch < 0 && stage.domain < 0) return std::move(plan_);
        left = std::move(open);
    }
}

}  // namespace joiner
