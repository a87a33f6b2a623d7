// The texts of our cells, for CodeMirror's StreamLanguage: one line with the magic and its options, then
// Prolog or, in a bias, answer set programming. Tokens are those of joiner_magic/core/text/tokens.cpp.

const MAGIC = /^%%(bk|examples|bias|joiner)(?=\s|$)/;

const DIRECTIVES = new Set([
  "head_pred", "body_pred", "type", "direction", "constant", "max_vars", "max_body", "max_clauses",
  "enable_recursion", "enable_pi", "allow_singletons", "non_datalog", "noisy", "pos", "neg",
]);
const OPERATOR_WORDS = new Set(["div", "is", "mod", "not", "rdiv", "rem", "xor"]);

const VARIABLE = /^[\p{Lu}\p{Lt}_][\p{L}\p{N}_]*/u;
const NAME = /^\p{L}[\p{L}\p{N}_]*/u;
// 0'c is the code of a character, so its quote opens nothing; 16'FF has a radix of its own.
const NUMBER = /^(?:0'(?:\\.|''|[^'\\])|0[xob][\da-f]+|\d+'[\da-z]+|\d+(?:_\d+)*(?:\.\d+)?(?:e[+-]?\d+)?)/i;
const END = /^\.(?=\s|%|$)/;
const ASP_KEYWORD = /^#[a-z]\w*/;
const SYMBOLS = /^[-+*/\\^<>=~:.?@#&$]+/;

/** Is the first line that is not blank one of our magics? */
export function startsWithMagic(doc) {
  for (const line of doc.iterLines()) {
    if (line.trim()) return MAGIC.test(line.trimStart());
  }
  return false;
}

function magicLine(stream, state) {
  const magic = stream.match(MAGIC);
  if (magic) {
    state.magic = magic[1];
    return "meta";
  }
  if (stream.match(/^--?[a-z][\w-]*/i)) return "attributeName";
  if (stream.match(/^\d[\d_.]*(?=\s|$)/)) return "number";
  if (stream.match(/^(?:"[^"]*"|'[^']*')/)) return "string";
  stream.match(/^[^\s=]+|^=/);
  return null;
}

/** Goes on in a comment that ends with `state.comment`, maybe on a later line. */
function comment(stream, state) {
  const found = stream.string.indexOf(state.comment, stream.pos);
  if (found < 0) {
    stream.skipToEnd();
  } else {
    stream.pos = found + state.comment.length;
    state.comment = null;
  }
  return "comment";
}

/** Goes on in a text that ends with `state.quote`, or with the line, unless the line's end is escaped. */
function quoted(stream, state) {
  for (let character = stream.next(); character; character = stream.next()) {
    if (character === "\\" && !stream.next()) return "string";
    if (character === state.quote && !stream.eat(state.quote)) break;
  }
  state.quote = null;
  return "string";
}

function opensComment(stream, state) {
  const asp = state.magic === "bias" || state.magic === "joiner";
  if (stream.match("/*")) state.comment = "*/";
  else if (asp && stream.match("%*")) state.comment = "*%";
  return state.comment !== null;
}

function word(name, first) {
  if (OPERATOR_WORDS.has(name)) return "operatorKeyword";
  return first && DIRECTIVES.has(name) ? "variableName.standard" : "variableName";
}

function bodyToken(stream, state) {
  if (opensComment(stream, state)) return comment(stream, state);
  if (stream.match(/^%.*/)) return "comment";
  if (stream.match(END)) {
    state.inClause = false;
    return "separator";
  }
  const first = !state.inClause;
  state.inClause = true;
  // Of the names that the themes colour, only definitions stand out in the light one and in the dark one.
  if (stream.match(VARIABLE)) return "variableName.definition";
  const name = stream.match(NAME);
  if (name) return word(name[0], first);
  if (stream.match(NUMBER)) return "number";
  const quote = stream.match(/^['"`]/);
  if (quote) {
    state.quote = quote[0];
    return quoted(stream, state);
  }
  if (stream.match(ASP_KEYWORD)) return "keyword";
  if (stream.match(SYMBOLS)) return "operator";
  return "()[]{}".includes(stream.next()) ? "paren" : "separator";
}

export const prolog = {
  name: "prolog",
  startState: () => ({ magic: null, inBody: false, inClause: false, comment: null, quote: null }),
  token(stream, state) {
    if (stream.sol() && state.magic) state.inBody = true;
    if (state.comment) return comment(stream, state);
    if (state.quote) return quoted(stream, state);
    if (stream.eatSpace()) return null;
    return state.inBody ? bodyToken(stream, state) : magicLine(stream, state);
  },
  indent: (state, textAfter, context) => (state.inClause ? context.unit : 0),
  languageData: { commentTokens: { line: "%", block: { open: "/*", close: "*/" } } },
};

/** No language at all. */
export const plain = {
  token(stream) {
    stream.skipToEnd();
    return null;
  },
};
