/** The most arguments that a function of D1 takes. */
export const ARGUMENTS_MAXIMUM = 32;

/** Words before a bracket that are no functions. */
const NO_FUNCTIONS =
  /^(in|values|as|on|and|or|not|when|then|else|where|over|key|check|unique|select|from|exists|by|materialized)$/i;
/** A word before its bracket that names the table, index or trigger columns of a statement, such as `INTO track (`. */
const NAMES_COLUMNS = /\b(into|table|index|on|view|exists)\s+("[^"]*"|\w+)\s*$/i;

/** The function calls of a statement with more arguments than D1 takes: the beginning of each, and its arguments. */
export function callsWithTooManyArguments(text: string): { call: string; count: number }[] {
  const found: { call: string; count: number }[] = [];
  const open: { call: string; isFunction: boolean; commas: number }[] = [];
  const tokens = text.matchAll(/--[^\n]*|'(?:[^']|'')*'|"(?:[^"]|"")*"|[(),]|[^'"(),-]+|-/g);
  let before = '';
  for (const { 0: token, index } of tokens) {
    if (token === '(') {
      const name = /(\w+)\s*$/.exec(before)?.[1];
      const isFunction = name !== undefined && !NO_FUNCTIONS.test(name) && !NAMES_COLUMNS.test(before);
      open.push({ call: text.slice(index - (name?.length ?? 0), index + 60), isFunction, commas: 0 });
    } else if (token === ')') {
      const { call, isFunction, commas } = open.pop()!;
      if (isFunction && commas >= ARGUMENTS_MAXIMUM) found.push({ call, count: commas + 1 });
    } else if (token === ',') {
      if (open.length > 0) open.at(-1)!.commas += 1;
    }
    before = (before + token).slice(-200);
  }
  return found;
}
