import type { Child, FC } from 'hono/jsx';
import { useWords } from '../../../messages/context.ts';
import { FigureTile } from '../../ui/parts/figure.tsx';
import { Icon } from '../../ui/parts/icons.tsx';
import { type Of, shipmentsOf, wrongOf } from './links.ts';
import { differenceOf, type Figures, lateOf, MEASURE_NAMES, MEASURES, type MeasureName } from './measures.ts';
import type { Before } from './range-rules.ts';
import { differenceText, valueOrDash } from './words.ts';

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
