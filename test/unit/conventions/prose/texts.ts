import { type ESTree, parseSync, Visitor } from 'vite';
import { WORDS_MINIMUM, wordsIn } from './rules.ts';

/** A text that people read. */
export interface Text {
  kind: 'document' | 'comment' | 'string';
  /** The line of its file where it starts, from 1. */
  line: number;
  text: string;
}

/** Literals that are code: SQL, markup, patterns. */
const CODE = /\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|WHERE|JOIN|FROM|VALUES|ORDER BY)\b|[<{}\\]|=>|;$|\s{2}/;
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

/** Whether people read a literal: several words that begin as a sentence does. */
const isSentence = (words: string): boolean =>
  !CODE.test(words) &&
  /^[A-Z“"`]/.test(words) &&
  /[a-z]{2} [a-z]{2}/.test(words) &&
  wordsIn(words.trim()) >= WORDS_MINIMUM;

/** Comments of a module, and its literals that are sentences. */
function inModule(path: string, content: string): Text[] {
  const { program, comments } = parseSync(path, content);
  const texts: Text[] = [];
  const parts = new Set<ESTree.Node>();
  const take = (node: ESTree.BinaryExpression | ESTree.TemplateLiteral | { type: 'Literal' }) => {
    const literal = node as ESTree.Expression;
    if (literal.type === 'BinaryExpression') parts.add(literal.left).add(literal.right);
    const words = parts.has(literal) ? undefined : wordsOf(literal);
    if (words !== undefined && isSentence(words))
      texts.push({ kind: 'string', line: lineAt(content, literal.start), text: words });
  };
  new Visitor({ BinaryExpression: take, TemplateLiteral: take, Literal: take }).visit(program);
  const read = comments
    .filter(({ value }) => !DIRECTIVE.test(value.trim()))
    .map(({ type, value, start }) => ({ type, line: lineAt(content, start), comment: value }));
  for (const { type, line, comment } of read)
    if (type === 'Block') texts.push({ kind: 'comment', line, text: unmarked(comment) });
  return [...texts, ...paragraphs(read.filter(({ type }) => type === 'Line'))];
}

/** Comments of a file whose comment lines begin with `marker`. */
const inLines = (content: string, marker: string): Text[] =>
  paragraphs(
    content
      .split('\n')
      .map((line, at) => ({ line: at + 1, comment: line.trim() }))
      .filter(({ comment }) => comment.startsWith(marker)),
  );

/** The texts of a file that people read. The name decides about its language; files of data have none. */
export function textsOf(path: string, content: string): Text[] {
  if (path.endsWith('.md')) return [{ kind: 'document', line: 1, text: content }];
  if (/\.[cm]?[jt]sx?$/.test(path)) return inModule(path, content);
  if (path.endsWith('.css')) return [];
  if (path.endsWith('.sql')) return inLines(content, '--');
  return /\.(?:toml|ya?ml)$|\.(?:gitignore|npmrc)$|^\.ci\//.test(path) ? inLines(content, '#') : [];
}
