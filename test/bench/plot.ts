import type { Figures } from './results.ts';

const WIDTH = 720;
const LABEL = 250;
const BAR = 16;
const ROW = 26;
const TOP = 52;
/** A longer bar is cut at this ratio and shows its value. */
const RATIO_MAXIMUM = 3;
const RIGHT = 60;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Plot the throughput of each side divided by the bare Worker's, with its target. Readable in light and
 * dark mode.
 */
export function plotOf({ date, machine, measured }: Figures): string {
  const busiest = measured.filter(
    ({ title, callers, sides }) =>
      sides[0]!.name.startsWith('bare') &&
      measured.every((other) => other.title !== title || other.callers <= callers),
  );
  const bars = busiest.flatMap(({ callers, sides }) =>
    sides.slice(1).map((side) => ({ ...side, label: `${side.name} (${callers})` })),
  );
  const scale = (ratio: number): number =>
    (Math.min(ratio, RATIO_MAXIMUM) / RATIO_MAXIMUM) * (WIDTH - LABEL - RIGHT);
  const height = TOP + bars.length * ROW + 12;
  const one = LABEL + scale(1);
  const rows = bars.map(({ label, ratio, least }, index) => {
    const y = TOP + index * ROW;
    const kind = least === undefined ? 'other' : ratio >= least ? 'met' : 'below';
    const goal =
      least === undefined
        ? ''
        : `<path class="goal" d="M${(LABEL + scale(least)).toFixed(1)} ${y - 2}v${BAR + 4}"/>`;
    return `<text class="label" x="${LABEL - 8}" y="${y + 12}">${escaped(label)}</text>
<rect class="${kind}" x="${LABEL}" y="${y}" width="${scale(ratio).toFixed(1)}" height="${BAR}" rx="2"/>${goal}
<text x="${(LABEL + scale(ratio) + 6).toFixed(1)}" y="${y + 12}">${ratio.toFixed(2)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Throughput compared with a bare Worker">
<style>
text{font:12px system-ui,sans-serif;fill:#1f2328}.label{text-anchor:end}.small{font-size:11px;fill:#59636e}
.met{fill:#2f7d4f}.below{fill:#b7791f}.other{fill:#6e7781}.goal{stroke:#cf222e;stroke-width:2}.one{stroke:#8c959f;stroke-dasharray:3 3}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.small{fill:#9198a1}.met{fill:#3fb068}.below{fill:#d29922}.other{fill:#8b949e}.goal{stroke:#ff7b72}}
</style>
<text x="12" y="16">Throughput compared with the bare Worker (dashed: 1; red: target; in brackets: callers)</text>
<text class="small" x="12" y="34">${escaped(`${date.slice(0, 10)}, ${machine}`)}</text>
<path class="one" d="M${one.toFixed(1)} ${TOP - 8}V${height - 6}"/>
${rows.join('\n')}
</svg>
`;
}
