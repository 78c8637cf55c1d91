import { escaped } from '../web/docs/catalogue.ts';

/**
 * Draws the diagrams of guides as SVG. They are written in a small part of Mermaid, which the repository's host draws,
 * too. The SVG has the colour of the text around it, and text that a phone of 360 pixels shows in full size.
 */

/** The width of every diagram. A page of 360 pixels has this room. */
const WIDTH = 320;
/** Space at the edges, so that lines and arrowheads are not cut. */
const EDGE = 2;
const SIZE = 12;
const ARROW = 6;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  lines: readonly string[];
}

interface Arrow {
  from: string;
  to: string;
  label: string;
}

/** The lines of a diagram. Titles and descriptions are its text alternative. */
function parsed(source: string): { arrows: Arrow[]; alternative: string; lines: string[] } {
  const lines = source.split('\n').map((line) => line.trim());
  const text = lines.flatMap((line) => /^acc(?:Title|Descr): (.*)$/.exec(line)?.[1] ?? []);
  if (text.length < 2) throw new Error('A diagram needs accTitle and accDescr.');
  const arrows = lines.flatMap((line) => {
    const [, from, label = '', to] = /^(\w+) -->(?:\|([^|]+)\|)? (\w+)$/.exec(line) ?? [];
    return from === undefined ? [] : [{ from, to: to!, label }];
  });
  return { arrows, alternative: text.join('. '), lines };
}

const textAt = (x: number, y: number, text: string, more = ''): string =>
  `<text x="${x}" y="${y}"${more}>${escaped(text)}</text>`;

/** A box with its lines. The first line is bold. */
function drawBox({ x, y, width, height, lines }: Box): string {
  const top = y + height / 2 - ((lines.length - 1) * 15) / 2 + 4;
  const texts = lines.map((line, at) =>
    textAt(x + width / 2, top + at * 15, line, at === 0 && lines.length > 1 ? ' font-weight="bold"' : ''),
  );
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" fill="none"/>${texts.join('')}`;
}

/** The head of an arrow that ends at a point, in the direction of `dx`, `dy`. */
const drawHead = (x: number, y: number, dx: number, dy: number): string => {
  const [backX, backY] = [x - dx * ARROW, y - dy * ARROW];
  const side = ARROW / 1.5;
  return `<path d="M${x} ${y}L${backX - dy * side} ${backY - dx * side}L${backX + dy * side} ${backY + dx * side}Z" stroke="none"/>`;
};

const drawLine = (path: string): string => `<path d="${path}" fill="none"/>`;

const middle = ({ x, y, width, height }: Box) => ({ x: x + width / 2, y: y + height / 2 });

/** An arrow between boxes that are side by side or one above the other, with its label. `shift` moves it aside. */
function drawStraight(from: Box, to: Box, label: string, shift = 0): string {
  const [a, b] = [middle(from), middle(to)];
  if (a.y === b.y) {
    const [dx, start, end] = a.x < b.x ? [1, from.x + from.width, to.x] : [-1, from.x, to.x + to.width];
    return `${drawLine(`M${start} ${a.y}H${end}`)}${drawHead(end, a.y, dx, 0)}${textAt((start + end) / 2, a.y - 6, label)}`;
  }
  const x = a.x + shift;
  const [dy, start, end] = a.y < b.y ? [1, from.y + from.height, to.y] : [-1, from.y, to.y + to.height];
  const text = label && textAt(x + 6, (start + end) / 2 + 4, label, ' text-anchor="start"');
  return `${drawLine(`M${x} ${start}V${end}`)}${drawHead(x, end, 0, dy)}${text}`;
}

/** The picture of boxes and arrows. */
const picture = (
  boxes: Iterable<Box>,
  arrows: readonly string[],
  height: number,
  alternative: string,
): string =>
  `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(alternative)}" font-size="${SIZE}" ` +
  `text-anchor="middle" fill="currentColor" stroke="none">` +
  `<g stroke="currentColor">${arrows.join('').replace(/<text.*?<\/text>/g, '')}</g>` +
  `<g>${[...boxes].map(drawBox).join('').replaceAll('<rect', '<rect stroke="currentColor"')}` +
  `${arrows.flatMap((arrow) => arrow.match(/<text.*?<\/text>/g) ?? []).join('')}</g></svg>\n`;

const FLOW = { left: 124, right: 112, height: 56, pitch: 92 };

/**
 * A flowchart of two columns, which are its subgraphs. The columns end at the same height. Arrows lead to the box
 * beside, above or below.
 */
function drawFlow(source: string): string {
  const { arrows, alternative, lines } = parsed(source);
  const columns: { name: string; lines: string[] }[][] = [];
  for (const line of lines) {
    if (line.startsWith('subgraph ')) columns.push([]);
    const [, name, label] = /^(\w+)\["(.+)"\]$/.exec(line) ?? [];
    if (name !== undefined) columns.at(-1)!.push({ name, lines: label!.split('<br>') });
  }
  const rows = Math.max(...columns.map(({ length }) => length));
  const boxes = new Map<string, Box>();
  for (const [at, column] of columns.entries()) {
    const width = at === 0 ? FLOW.left : FLOW.right;
    for (const [row, { name, lines }] of column.entries()) {
      const y = EDGE + (rows - column.length + row) * FLOW.pitch;
      boxes.set(name, { x: at === 0 ? EDGE : WIDTH - EDGE - width, y, width, height: FLOW.height, lines });
    }
  }
  const drawn = arrows.map(({ from, to, label }) => drawStraight(boxes.get(from)!, boxes.get(to)!, label));
  return picture(
    boxes.values(),
    drawn,
    rows * FLOW.pitch - (FLOW.pitch - FLOW.height) + 2 * EDGE,
    alternative,
  );
}

const STATES = { width: 200, height: 32, pitch: 62 };

/** A state diagram. The states are one below the other. Arrows that skip a state are curves beside them. */
function drawStates(source: string): string {
  const { arrows, alternative } = parsed(source);
  const names = [...new Set(arrows.flatMap(({ from, to }) => [from, to]))];
  const x = (WIDTH - STATES.width) / 2;
  const boxes = names.map(
    (name, row): Box => ({
      x,
      y: EDGE + row * STATES.pitch,
      width: STATES.width,
      height: STATES.height,
      lines: [name],
    }),
  );
  const drawn = arrows.map(({ from, to }) => {
    const [a, b] = [names.indexOf(from), names.indexOf(to)];
    const distance = b - a;
    if (Math.abs(distance) === 1) return drawStraight(boxes[a]!, boxes[b]!, '', -20 * distance);
    // Curves down are on the right, curves up on the left.
    const side = Math.sign(distance);
    const start = WIDTH / 2 + (side * STATES.width) / 2;
    const bend = start + side * (20 + 14 * Math.abs(distance));
    const [fromY, toY] = [middle(boxes[a]!).y + 5, middle(boxes[b]!).y - 5];
    return `${drawLine(`M${start} ${fromY}C${bend} ${fromY} ${bend} ${toY} ${start} ${toY}`)}${drawHead(start, toY, -side, 0)}`;
  });
  const height = (names.length - 1) * STATES.pitch + STATES.height + 2 * EDGE;
  return picture(boxes, drawn, height, alternative);
}

/** The SVG of a diagram in Mermaid. @throws for a kind that no guide has */
export function drawDiagram(source: string): string {
  if (source.startsWith('flowchart')) return drawFlow(source);
  if (source.startsWith('stateDiagram-v2')) return drawStates(source);
  throw new Error('A diagram of a guide is a flowchart or a stateDiagram-v2.');
}
