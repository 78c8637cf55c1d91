/** A gauge: its name and help text, and its values by labels. */
export interface Gauge {
  /** The part of the name after the prefix of the service. It ends with the unit. */
  name: string;
  help: string;
  samples: readonly { labels: Readonly<Record<string, string>>; value: number }[];
}

/** Media type of the text that Prometheus scrapes. */
export const EXPOSITION = 'text/plain; version=0.0.4; charset=utf-8';

const PREFIX = 'warehouse_dispatch_';

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');

const labelled = (labels: Readonly<Record<string, string>>): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
};

/** Gauges in the text format of Prometheus. */
export const expositionOf = (gauges: readonly Gauge[]): string =>
  gauges
    .flatMap(({ name, help, samples }) => [
      `# HELP ${PREFIX}${name} ${help}`,
      `# TYPE ${PREFIX}${name} gauge`,
      ...samples.map(({ labels, value }) => `${PREFIX}${name}${labelled(labels)} ${value}`),
    ])
    .map((line) => `${line}\n`)
    .join('');
