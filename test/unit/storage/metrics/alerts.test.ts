import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import parse from 'parse-prometheus-text-format';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { expositionOf } from '../../../../src/storage/metrics/exposition.ts';
import { gaugesOf } from '../../../../src/storage/metrics/gauges.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const textOf = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8');

const figures = {
  shipmentsCompleted: 7,
  shipmentsPlanned: 0,
  shipmentsOnTime: 0,
  minutesLate: 2,
  loadingMinutes: 0,
  dwellMinutes: 0,
  shipmentsArrived: 0,
  gateMinutes: 0,
  palletsLoaded: 0,
  palletsWrong: 0,
  palletsCaught: 0,
  shipmentsShort: 0,
};
const counts = {
  operations: 1,
  undelivered: 2,
  oldestDate: 1_000,
  deadLetters: 3,
  sealedOtherwise: null,
  figures,
};
const never = { measureDate: null, failureDate: null, minuteDate: null, dayDate: null };
const unmeasured = { ...never, sizeBytes: null, counts: null };
const text = expositionOf(
  gaugesOf(
    {
      organizations: 4,
      databases: [
        { ...never, databaseName: 'DB', measureDate: 51_000, minuteDate: 41_000, sizeBytes: 5, counts },
        { ...unmeasured, databaseName: 'DB_1', failureDate: 1 },
        { ...unmeasured, databaseName: 'DB_2' },
      ],
    },
    10,
    61_000,
  ),
);
const names = parse(text).map(({ name }) => name);

describe('the configuration of Prometheus', () => {
  it("a parser of Prometheus' format reads back the metrics", () => {
    const families = new Map(parse(text).map(({ name, ...family }) => [name, family]));
    expect([...families.values()].map(({ type, help }) => [type, help.endsWith('.')])).toEqual(
      Array(22).fill(['GAUGE', true]),
    );
    const samples = (name: string) => families.get(`warehouse_dispatch_${name}`)?.metrics;
    expect(samples('database_up')).toEqual([
      { value: '1', labels: { database: 'DB' } },
      { value: '0', labels: { database: 'DB_1' } },
    ]);
    expect(samples('organizations')).toEqual([{ value: '4' }]);
    const labels = { database: 'DB' };
    expect(samples('database_measurement_age_seconds')).toEqual([{ value: '10', labels }]);
    expect(samples('minute_schedule_age_seconds')).toEqual([{ value: '20', labels }]);
    expect(samples('day_shipments_completed')).toEqual([{ value: '7', labels }]);
    expect(samples('day_late_seconds')).toEqual([{ value: '120', labels }]);
    expect(samples('webhook_oldest_undelivered_event_age_seconds')).toEqual([
      { value: '60', labels: { database: 'DB' } },
    ]);
  });

  it('metric values are escaped, and the test finds an unescaped one', () => {
    const label = 'a"b\\c\nd';
    const odd = expositionOf([{ name: 'x', help: 'X.', samples: [{ labels: { label }, value: 1 }] }]);
    expect(parse(odd)[0]!.metrics).toEqual([{ value: '1', labels: { label } }]);
    for (const wrong of ['x{a=b} 1', '# TYPE x', 'x{a="b" 1'])
      expect(() => parse(`${text}${wrong}\n`)).toThrow(wrong);
  });
});

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

/** The metrics of the service in a PromQL expression. */
const metricsOf = (expr: string): string[] => expr.match(/\bwarehouse_dispatch_\w+/g) ?? [];

/** The anchor of a title in links. */
const anchorOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

describe('the alerts', () => {
  const { groups } = parseYaml(textOf('src/web/docs/assets/alerts.rules.yml'));
  const rules: Rule[] = groups.flatMap((group: { rules: Rule[] }) => group.rules);
  const sections = [...textOf('src/web/docs/guides/runbook.md').matchAll(/^## (.+)$/gm)].map(([, title]) =>
    anchorOf(title!),
  );

  it.each(rules)('the alert $alert uses existing metrics', ({ expr }) => {
    const metrics = metricsOf(expr);
    expect(metrics.length).toBeGreaterThan(0);
    expect(metrics.filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(rules)('the alert $alert has a severity and a link to the runbook', (rule) => {
    expect(Object.keys(rule).filter((key) => key !== 'for')).toEqual([
      'alert',
      'expr',
      'labels',
      'annotations',
    ]);
    expect(rule.for ?? '1m').toMatch(/^\d+[mh]$/);
    expect(['critical', 'warning']).toContain(rule.labels.severity);
    const [, anchor] = /^\/docs\/runbook#(.+)$/.exec(rule.annotations.runbook)!;
    expect(sections).toContain(anchor);
  });

  it('the guide explains every alert', () => {
    const rows = [
      ...textOf('src/web/docs/guides/alerts.md').matchAll(
        /^\| `(\w+)` \| (\w+) \| .+ \| .+\(runbook\.md#(.+)\) \|$/gm,
      ),
    ];
    expect(rows.map(([, name, severity, anchor]) => [name, severity, `/docs/runbook#${anchor}`])).toEqual(
      rules.map(({ alert, labels, annotations }) => [alert, labels.severity, annotations.runbook]),
    );
  });
});
