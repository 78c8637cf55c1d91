import type { Child, FC } from 'hono/jsx';
import { dayAfter } from '../../../core/lib/zone.ts';
import { isByTime, type ReportGroup } from '../../../dispatch/report/rules.ts';
import { useWords } from '../../../messages/context.ts';
import { single } from '../../ui/list/filters.tsx';
import { FigureTile } from '../../ui/parts/components.tsx';
import { Icon } from '../../ui/parts/icons.tsx';
import { differenceOf, type Figures, lateOf, MEASURE_NAMES, MEASURES, type MeasureName } from './measures.ts';
import type { Before, Range } from './range-rules.ts';
import { differenceText, valueOrDash } from './words.ts';

/** The shipments that a figure counts: completed on these days, and of this carrier or gate. */
export interface Of extends Range {
  grouping: ReportGroup;
  /** The carrier or gate; null for shipments without one. Undefined for all. */
  group?: string | null | undefined;
  /** All spellings of the carrier. */
  spellings?: readonly string[] | undefined;
}

/** The shipments that a number counts. */
type Outcome = 'PLANNED' | 'ON_TIME' | 'LATE' | 'SHORT';

function queryOf({ grouping, group, spellings, from, to }: Of): [string, string][] {
  const dates: [string, string][] = [
    ['closeDateAfter', from],
    // Filters exclude their end.
    ['closeDateBefore', dayAfter(to, 1)],
  ];
  if (group === undefined || isByTime(grouping)) return dates;
  if (group === null) return [...dates, ['without', grouping]];
  const [only = group, ...others] = spellings ?? [];
  const name = grouping.toLowerCase();
  return [...dates, ...single(name, only), ...others.map((spelling): [string, string] => [name, spelling])];
}

/** The list of the completed shipments that a number counts. */
export const shipmentsOf = (of: Of, outcome?: Outcome, more: [string, string][] = []): string =>
  `/app/shipment?${new URLSearchParams([
    ['status', 'COMPLETED'],
    ...queryOf(of),
    ...(outcome === undefined ? [] : [['outcome', outcome]]),
    ...more,
  ])}`;

/** The list of short shipments with a reason; null for shipments without one. */
export const shortOf = (of: Of, reason: string | null): string =>
  shipmentsOf(of, 'SHORT', reason === null ? [['without', 'SHORT_REASON']] : single('shortReason', reason));

/** The list of wrong pallets on the completed shipments. */
export const wrongOf = (of: Of): string => `/app/report/wrong-pallets?${new URLSearchParams(queryOf(of))}`;

/** A number with the list that it counts. Zero has no list. */
export const Counted: FC<{ count: number; to: string; children?: Child }> = ({ count, to, children }) => {
  const shown = children ?? useWords().number(count);
  return count === 0 ? <span>{shown}</span> : <a href={to}>{shown}</a>;
};

/** The number that a measure is computed from, linked to its list. */
const Base: FC<{ of: Of; name: MeasureName; sum: Figures }> = ({ of, name, sum }) => {
  const { t } = useWords();
  const shipments = (
    <Counted count={sum.shipmentsCompleted} to={shipmentsOf(of)}>
      {t('report.shipments', { count: sum.shipmentsCompleted })}
    </Counted>
  );
  switch (name) {
    case 'onTime':
      return (
        <>
          <Counted count={sum.shipmentsOnTime} to={shipmentsOf(of, 'ON_TIME')} /> {t('report.ofPlanned')}{' '}
          <Counted count={sum.shipmentsPlanned} to={shipmentsOf(of, 'PLANNED')} />
        </>
      );
    case 'late':
      return (
        <Counted count={lateOf(sum)} to={shipmentsOf(of, 'LATE')}>
          {t('report.lateShipments', { count: lateOf(sum) })}
        </Counted>
      );
    case 'dwell':
      return <>{t('report.arrivals', { count: sum.shipmentsArrived })}</>;
    case 'pace':
      return <>{t('report.pallets', { count: sum.palletsLoaded })}</>;
    case 'wrong':
      return (
        <>
          <Counted count={sum.palletsWrong} to={wrongOf(of)}>
            {t('report.wrongPallets', { count: sum.palletsWrong })}
          </Counted>
          , {t('report.caughtPallets', { count: sum.palletsCaught })}
        </>
      );
    case 'short':
      return (
        <Counted count={sum.shipmentsShort} to={shipmentsOf(of, 'SHORT')}>
          {t('report.shipments', { count: sum.shipmentsShort })}
        </Counted>
      );
    default:
      return shipments;
  }
};

/** The measures of the whole range, each compared with the range before. */
export const ReportFigures: FC<{ of: Of; sum: Figures; sumBefore: Figures; before: Before }> = ({
  of,
  sum,
  sumBefore,
  before,
}) => {
  const words = useWords();
  return (
    <section class="figures" aria-label={words.t('report.figures')}>
      {MEASURE_NAMES.map((name) => {
        const { unit, of: measure } = MEASURES[name];
        const [now, was] = [measure(sum), measure(sumBefore)];
        const difference = differenceOf(now, was, unit);
        const arrow = difference?.kind === 'MORE' ? 'up' : difference?.kind === 'LESS' ? 'down' : undefined;
        return (
          <FigureTile
            name={words.t(`reportMeasure.${name}`)}
            value={valueOrDash(words, now, unit)}
            more={
              now !== null && (
                <>
                  {arrow && <Icon name={arrow} />} {differenceText(words, difference, unit, before, was)}
                </>
              )
            }
          >
            <Base of={of} name={name} sum={sum} />
          </FigureTile>
        );
      })}
    </section>
  );
};
