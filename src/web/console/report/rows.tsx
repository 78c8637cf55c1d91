import type { GateReference } from '../../../dispatch/gate/rules.ts';
import { isByTime, type TimeGroup } from '../../../dispatch/report/rules.ts';
import type { ReportRow } from '../../../dispatch/report/store.ts';
import type { Words } from '../../../messages/words.ts';
import { GateLink } from '../../ui/list/gates.tsx';
import type { Row } from './groups.tsx';
import { partsOf, type Report } from './range-rules.ts';
import type { ReportRead } from './read.ts';
import { partLabel, partName } from './words.ts';

/** The rows of a report, as charts and the table show them. */
export function rowsOf(
  words: Words,
  report: Report,
  { rows, gates }: Pick<ReportRead, 'rows' | 'gates'>,
  today: string,
): Row[] {
  const { groupBy } = report;
  return isByTime(groupBy)
    ? timeRows(words, report, groupBy, rows, today)
    : rows.map((figures) => namedRow(words, report, figures, gates));
}

function timeRows(
  words: Words,
  report: Report,
  grouping: TimeGroup,
  rows: readonly ReportRow[],
  today: string,
): Row[] {
  const parts = new Map(partsOf(report, grouping, today).map((part) => [part.group, part]));
  return rows.map((figures) => {
    const part = parts.get(figures.group!)!;
    return {
      label: partLabel(words, grouping, part.group),
      name: (
        <>
          {partName(words, grouping, part.group, part)}
          {part.isPartial && <small class="few">{words.t('report.incomplete')}</small>}
        </>
      ),
      of: { from: part.from, to: part.to, grouping },
      figures,
    };
  });
}

function namedRow(words: Words, report: Report, figures: ReportRow, gates: readonly GateReference[]): Row {
  const { from, to, groupBy } = report;
  const { group, spellings } = figures;
  const gate =
    groupBy === 'GATE' ? gates.find(({ externalIdentifier }) => externalIdentifier === group) : undefined;
  const missing = words.t(groupBy === 'GATE' ? 'report.noGate' : 'report.noCarrier');
  return {
    label: gate?.name ?? group ?? missing,
    name: gate ? <GateLink gate={gate} /> : (group ?? missing),
    of: { from, to, grouping: groupBy, group, spellings },
    figures,
  };
}
