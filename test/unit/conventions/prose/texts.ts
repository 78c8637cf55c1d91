import { type ESTree, parseSync, Visitor } from 'vite';
import { WORDS_MINIMUM, wordsIn } from './rules.ts';

/** A text that people read. */
export interface Text {
  kind: 'document' | 'comment' | 'string';
  /** The line of its file where it starts, from 1. */
  line: number;
  text: string;
}

/** Literals that are code: SQL, scripts, patterns. */
const CODE = /\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|WHERE|JOIN|FROM|VALUES|ORDER BY)\b|[<{}\\]|=>|;$/;
/** Tags of HTML in a literal. */
const TAG = /<\/?[a-z][^<>]*>/g;
/** Calls whose literals people read, even if they do not begin like a sentence: names of tests, refusals, output. */
const READ = /^(?:it|test|describe)\b|\.describe$|\brefus\w+$|^console\.\w+$|\.write$/;
/** Pages have their English texts in this folder, in ICU format. */
const MESSAGES = /\bmessages\/en\//;
/** Comments for tools. */
const DIRECTIVE = /^(?:biome-ignore|@vitest|@ts-|#__PURE__|<reference)/;
/** An expression within a text. */
const EXPRESSION = '`code`';

const lineAt = (content: string, offset: number): number => content.slice(0, offset).split('\n').length;

/** A comment without its markers and tags. */
const unmarked = (comment: string): string =>
  comment
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\*+|\/\/+|--|#+)?\s?/, ''))
    .join('\n')
    .replaceAll(/@\w+/g, '')
    .trimEnd();

/** Line comments as texts; adjacent ones are one text. */
function paragraphs(comments: readonly { line: number; comment: string }[]): Text[] {
  const texts: { line: number; lines: string[] }[] = [];
  for (const { line, comment } of comments) {
    const last = texts.at(-1);
    if (last && last.line + last.lines.length === line) last.lines.push(comment);
    else texts.push({ line, lines: [comment] });
  }
  return texts.map(({ line, lines }) => ({ kind: 'comment', line, text: unmarked(lines.join('\n')) }));
}

/** The words of a literal, or of literals that `+` joins; undefined for another expression. */
function wordsOf(node: ESTree.Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked).join(EXPRESSION);
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const [left, right] = [wordsOf(node.left), wordsOf(node.right)];
  return left === undefined && right === undefined ? undefined : (left ?? EXPRESSION) + (right ?? EXPRESSION);
}

/** Whether a text is several words, and not code. */
const isText = (words: string): boolean =>
  !CODE.test(words) && /[a-z]{2} [a-z]{2}/.test(words) && wordsIn(words.trim()) >= WORDS_MINIMUM;

/** The texts of a literal: its lines, and in help texts the columns of a line. `isRead`: they need not be sentences. */
function partsOf(words: string, isRead: boolean): { part: string; lines: number }[] {
  return words.split('\n').flatMap((line, lines) =>
    line
      .replaceAll(TAG, ' ')
      .split(/\s{2,}/)
      .map((part) => part.trim())
      .filter((part) => isText(part) && (isRead || /^[A-Z“"`]/.test(part)))
      .map((part) => ({ part, lines })),
  );
}

/** A message in each of its forms: with the first branch of each choice, with the second one, and so on. */
export function formsOf(message: string): string[] {
  let most = 1;
  const form = (text: string, at: number): string => {
    let written = '';
    for (let index = 0; index < text.length; index += 1) {
      if (text[index] !== '{') {
        written += text[index];
        continue;
      }
      const end = closingOf(text, index);
      written += argument(text.slice(index + 1, end), at);
      index = end;
    }
    return written;
  };
  const argument = (inner: string, at: number): string => {
    const choice = /^\s*\w+\s*,\s*(?:plural|select|selectordinal)\s*,/.exec(inner)?.[0];
    if (choice === undefined) return EXPRESSION;
    const branches: string[] = [];
    for (let start = inner.indexOf('{', choice.length); start >= 0; ) {
      const end = closingOf(inner, start);
      branches.push(inner.slice(start + 1, end));
      start = inner.indexOf('{', end);
    }
    most = Math.max(most, branches.length);
    return form(branches[at % branches.length] ?? '', at);
  };
  const first = form(message, 0);
  return [first, ...Array.from({ length: most - 1 }, (_, index) => form(message, index + 1))];
}

/** The index of the brace that closes the brace at `start`. */
function closingOf(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === '{') depth += 1;
    if (text[index] === '}') depth -= 1;
    if (depth === 0) return index;
  }
  return text.length;
}

/** Comments of a module, and its literals that are sentences. */
function inModule(path: string, content: string): Text[] {
  const { program, comments } = parseSync(path, content);
  const texts: Text[] = [];
  const parts = new Set<ESTree.Node>();
  const read = new Set<ESTree.Node>();
  const add = (node: ESTree.Node, words: string, isRead: boolean) => {
    const forms = MESSAGES.test(path) ? formsOf(words) : [words];
    for (const { part, lines } of forms.flatMap((form) => partsOf(form, isRead || forms.length > 1)))
      texts.push({ kind: 'string', line: lineAt(content, node.start) + lines, text: part });
  };
  const take = (node: ESTree.BinaryExpression | ESTree.TemplateLiteral | { type: 'Literal' }) => {
    const literal = node as ESTree.Expression;
    if (literal.type === 'BinaryExpression') parts.add(literal.left).add(literal.right);
    const words = parts.has(literal) ? undefined : wordsOf(literal);
    if (words !== undefined) add(literal, words, read.has(literal));
  };
  new Visitor({
    CallExpression({ callee, arguments: given }) {
      if (READ.test(content.slice(callee.start, callee.end))) for (const one of given) read.add(one);
    },
    JSXText(node) {
      add(node, node.value, true);
    },
    BinaryExpression: take,
    TemplateLiteral: take,
    Literal: take,
  }).visit(program);
  const remarks = comments
    .filter(({ value }) => !DIRECTIVE.test(value.trim()))
    .map(({ type, value, start }) => ({ type, line: lineAt(content, start), comment: value }));
  for (const { type, line, comment } of remarks)
    if (type === 'Block') texts.push({ kind: 'comment', line, text: unmarked(comment) });
  return [...texts, ...paragraphs(remarks.filter(({ type }) => type === 'Line'))];
}

/** Comments of a file that begin with `marker`, on their own line or at the end of a line. */
const inLines = (content: string, marker: string): Text[] =>
  paragraphs(
    content.split('\n').flatMap((line, at) => {
      const start = ` ${line}`.indexOf(` ${marker}`);
      return start < 0 ? [] : [{ line: at + 1, comment: line.slice(start) }];
    }),
  );

/** Block comments of a style sheet or of SQL. */
const inBlocks = (content: string): Text[] =>
  [...content.matchAll(/\/\*([\s\S]*?)\*\//g)].map(({ 1: comment, index }) => ({
    kind: 'comment',
    line: lineAt(content, index),
    text: unmarked(comment!),
  }));

/** Comments in the examples of a document, which readers copy. */
const inExamples = (content: string): Text[] =>
  [...content.matchAll(/^```(?:sh|toml|yaml)\n([\s\S]*?)^```/gm)].flatMap(({ 1: code, index }) =>
    inLines(code!, '#').map((text) => ({ ...text, line: text.line + lineAt(content, index) })),
  );

/** The texts of a file that people read. The name decides about its language; files of data have none. */
export function textsOf(path: string, content: string): Text[] {
  if (path.endsWith('.md')) return [{ kind: 'document', line: 1, text: content }, ...inExamples(content)];
  if (/\.[cm]?[jt]sx?$/.test(path)) return inModule(path, content);
  if (path.endsWith('.css')) return inBlocks(content);
  if (path.endsWith('.sql')) return [...inLines(content, '--'), ...inBlocks(content)];
  return /\.(?:toml|ya?ml)$|\.(?:gitignore|npmrc|editorconfig)$|^\.ci\//.test(path)
    ? inLines(content, '#')
    : [];
}
