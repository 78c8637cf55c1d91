import { widthsOfValues } from '../../../../src/dispatch/label/code128.ts';
import type { Picture } from './read.ts';

// An independent reader of ZPL II, written from the Programming Guide. It does what a printer would do with
// labels of this service. It refuses everything else.

/** A label as a printer would print it: graphics and boxes as dots, and the texts. */
export interface PrintedLabel extends Picture {
  texts: {
    text: string;
    left: number;
    top: number;
    /** Height and width of the font. */
    height: number;
    width: number;
    /** The width in which the text is aligned. */
    room: number;
    align: string;
  }[];
  boxes: { left: number; top: number; width: number; height: number }[];
}

interface State {
  label: PrintedLabel;
  left: number;
  top: number;
  font: { height: number; width: number };
  block: { room: number; align: string };
  /** The sign before hexadecimal bytes in the next field. */
  escape: string | undefined;
  /** Width of a module, and height of the barcode in the next field. */
  module: number;
  barHeight: number | undefined;
  /** Settings of the job before that the label has not replaced. */
  former: Set<string>;
}

/** Commands whose effect lasts until the printer is switched off, with the parameters that our labels need. */
const LASTING: Readonly<Record<string, string>> = {
  ...{ MU: 'D', PO: 'N', PM: 'N', LR: 'N', FW: 'N', CI: '28' },
  ...{ LH: '0,0', LS: '0', LT: '0' },
};
/** Encodings matter only to labels with texts outside ASCII. */
const MOVING = Object.keys(LASTING).filter((name) => name !== 'CI');

export function printZpl(zpl: string): PrintedLabel[] {
  if (!/^[\x20-\x7e\n]*$/.test(zpl)) throw new Error('a printer reads only ASCII');
  const labels = zpl.split(/\^XZ\s*/);
  if (labels.pop() !== '') throw new Error('the last label has no end');
  return labels.map((text) => printLabel(text));
}

function printLabel(text: string): PrintedLabel {
  const commands = text.split('^').slice(1);
  if (commands.shift()?.trim() !== 'XA') throw new Error('a label must begin with ^XA');
  const [width, height] = ['PW', 'LL'].map((name) => {
    const command = commands.find((candidate) => candidate.startsWith(name));
    return Number(command?.slice(2));
  }) as [number, number];
  const label = { width, height, pixels: new Uint8Array(width * height).fill(255), texts: [], boxes: [] };
  const state: State = {
    label,
    left: 0,
    top: 0,
    font: { height: 0, width: 0 },
    block: { room: 0, align: '' },
    escape: undefined,
    module: 0,
    barHeight: undefined,
    former: new Set(MOVING),
  };
  for (const command of commands) print(state, command.slice(0, 2), command.slice(2).replace(/\n$/, ''));
  return state.label;
}

function print(state: State, name: string, parameters: string): void {
  const numbers = parameters.split(',').map(Number);
  const lasting = LASTING[name];
  if (lasting !== undefined) {
    if (parameters !== lasting) throw new Error(`unexpected ^${name}${parameters}`);
    state.former.delete(name);
    return;
  }
  switch (name) {
    case 'PW':
    case 'LL':
      return;
    case 'FS':
      state.escape = undefined;
      state.barHeight = undefined;
      return;
    case 'FH':
      state.escape = parameters;
      return;
    case 'BY':
      state.module = Number(parameters);
      return;
    case 'BC':
      if (!/^N,\d+,N,N,N,N$/.test(parameters)) throw new Error(`unexpected barcode ${parameters}`);
      state.barHeight = Number(parameters.split(',')[1]);
      return;
    case 'FO':
      if (state.former.size > 0) throw new Error(`^${[...state.former]} of the job before still apply`);
      [state.left, state.top] = numbers as [number, number];
      return;
    case 'A0': {
      const [, height, width] = parameters.split(',').map(Number) as [number, number, number];
      if (!parameters.startsWith('N,')) throw new Error('text must be upright');
      state.font = { height, width };
      return;
    }
    case 'FB':
      state.block = blockOf(parameters);
      return;
    case 'FD':
      if (state.barHeight !== undefined) printBars(state, parameters);
      else {
        const { left, top, font, block } = state;
        state.label.texts.push({ text: unescaped(parameters, state.escape), left, top, ...font, ...block });
      }
      return;
    case 'GB':
      printBox(state, numbers as [number, number, number]);
      return;
    case 'GF':
      printGraphic(state, parameters);
      return;
    default:
      throw new Error(`unknown command ^${name}${parameters}`);
  }
}

function blockOf(parameters: string): State['block'] {
  const [, room, align] = /^(\d+),1,0,([LCR])$/.exec(parameters) ?? [];
  if (!room || !align) throw new Error(`a text must be one line, not ${parameters}`);
  return { room: Number(room), align };
}

/** The text of a field. Without ^FH no byte of it is hexadecimal. */
function unescaped(data: string, sign: string | undefined): string {
  if (/[\\~]/.test(data)) throw new Error(`${data} has signs that ZPL interprets`);
  if (sign === undefined) return data;
  const bytes = data.replace(/./gs, (one) => (one === sign ? '%' : encodeURIComponent(one)));
  return decodeURIComponent(bytes);
}

/** The values of invocation characters in Code 128 (table of ^BC), without the start characters. */
const INVOCATIONS: Readonly<Record<string, number>> = {
  '<': 62,
  '0': 30,
  '=': 94,
  '1': 95,
  '2': 96,
  '3': 97,
  '4': 98,
  '5': 99,
  '6': 100,
  '7': 101,
  '8': 102,
};
const STARTS: Readonly<Record<string, number>> = { '9': 103, ':': 104, ';': 105 };

/** The symbol characters of a ^BC field in mode N. The printer adds the check character. */
export function valuesOfField(data: string): number[] {
  const start = STARTS[data[1]!];
  if (data[0] !== '>' || start === undefined) throw new Error(`${data} names no start character`);
  const values = [start];
  let digits = start === 105;
  let rest = data.slice(2);
  while (rest !== '') {
    const [token] = (digits ? /^(>.|\d\d)/ : /^(>.|.)/s).exec(rest) ?? [];
    if (token === undefined) throw new Error(`${rest} does not begin with two digits`);
    const invoked = token[0] === '>' ? INVOCATIONS[token[1]!] : undefined;
    values.push(invoked ?? (digits ? Number(token) : token.charCodeAt(0) - 32));
    if (invoked === 99 || invoked === 100) digits = invoked === 99;
    rest = rest.slice(token.length);
  }
  let sum = start;
  for (let at = 1; at < values.length; at += 1) sum += at * values[at]!;
  return [...values, sum % 103];
}

function printBars(state: State, data: string): void {
  let { left } = state;
  widthsOfValues(valuesOfField(data)).forEach((width, index) => {
    for (let x = 0; x < width * state.module; x += 1) {
      for (let y = 0; index % 2 === 0 && y < state.barHeight!; y += 1) dot(state, left + x, state.top + y);
    }
    left += width * state.module;
  });
}

function dot({ label }: State, x: number, y: number): void {
  if (x < 0 || y < 0 || x >= label.width || y >= label.height)
    throw new Error(`(${x}, ${y}) is outside the label`);
  label.pixels[y * label.width + x] = 0;
}

function printBox(state: State, [width, height, line]: [number, number, number]): void {
  const { left, top } = state;
  state.label.boxes.push({ left, top, width, height });
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const inside = x >= line && y >= line && x < width - line && y < height - line;
      if (!inside) dot(state, left + x, top + y);
    }
  }
}

function printGraphic(state: State, parameters: string): void {
  const [, type, sent, total, rowBytes, data] = /^(\w),(\d+),(\d+),(\d+),(.*)$/s.exec(parameters) ?? [];
  if (type !== 'A' || sent !== total)
    throw new Error(`unexpected graphic of type ${type} with ${sent} of ${total} bytes`);
  if (Number(total) > 99_999) throw new Error('a graphic has at most 99,999 bytes');
  const rows = graphicRows(data!, Number(rowBytes) * 2);
  if (rows.length * Number(rowBytes) !== Number(total))
    throw new Error(`${rows.length} rows are not ${total} bytes`);
  rows.forEach((digits, y) => {
    [...digits].forEach((digit, index) => {
      const bits = Number.parseInt(digit, 16);
      for (let bit = 0; bit < 4; bit += 1) {
        if ((bits >> (3 - bit)) & 1) dot(state, state.left + index * 4 + bit, state.top + y);
      }
    });
  });
}

/**
 * Decompress ZPL graphics to rows of hexadecimal digits. `,` means white to the end of the row, `:` repeats
 * the row before, and letters are repeat counts.
 */
function graphicRows(data: string, rowDigits: number): string[] {
  const rows: string[] = [];
  let row = '';
  let count = 0;
  const complete = () => {
    if (row.length !== rowDigits) throw new Error(`a row of ${row.length} digits instead of ${rowDigits}`);
    rows.push(row);
    row = '';
  };
  for (const sign of data) {
    if (sign >= 'G' && sign <= 'Y') count += sign.charCodeAt(0) - 'F'.charCodeAt(0);
    else if (sign >= 'g' && sign <= 'z') count += (sign.charCodeAt(0) - 'f'.charCodeAt(0)) * 20;
    else if (/[0-9A-F]/.test(sign)) {
      row += sign.repeat(count || 1);
      count = 0;
      if (row.length >= rowDigits) complete();
    } else if (sign === ',') {
      row = row.padEnd(rowDigits, '0');
      complete();
    } else if (sign === ':' && row === '' && rows.length > 0) rows.push(rows.at(-1)!);
    else throw new Error(`unknown sign ${sign} in a graphic`);
  }
  if (row !== '') throw new Error('the last row is not complete');
  return rows;
}
