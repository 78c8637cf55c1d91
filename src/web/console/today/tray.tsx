import type { FC } from 'hono/jsx';
import { listed } from '../../../core/lib/text.ts';
import { clockIn } from '../../../core/lib/zone.ts';
import type { GateReference } from '../../../dispatch/gate/rules.ts';
import { useWords } from '../../../messages/context.ts';
import { Field, Form, Hidden, Select, Submit } from '../../ui/form/form.tsx';
import { Icon } from '../../ui/parts/icons.tsx';
import { usePageState } from '../../ui/parts/view.ts';
import { movable, movedText, NO_GATE, type SlotInput, slotOf, slotText, type TodayActions } from './move.ts';
import { type Departure, lateBy, type TodayContext } from './rules.ts';

/** A day with its movable shipments. */
interface Movable {
  departures: readonly Departure[];
  gates: readonly GateReference[];
  /** The URL of the day's page. Its forms return there. */
  here: string;
}

/** Shipments without a gate, with forms that assign one. */
export const WithoutGate: FC<Movable & { mayMove: boolean; shown: TodayContext }> = ({
  departures,
  gates,
  here,
  mayMove,
  shown: { zone, now },
}) => {
  const { t } = useWords();
  if (departures.length === 0) return null;
  return (
    <section class="card gateless" data-gate={NO_GATE} data-name={t('day.noGate')}>
      <h2>
        <Icon name="warn" /> {t('day.noGateYet')} <small>{departures.length}</small>
      </h2>
      <ul>
        {departures.map((departure) => (
          <li data-row={departure.uuid}>
            <a href={`/app/shipment/${departure.uuid}`} {...movable(departure, mayMove)}>
              <b class={lateBy(departure, now) > 0 ? 'late' : ''}>{clockIn(zone, departure.departureDate)}</b>{' '}
              {departure.externalIdentifier}
            </a>
            <span class="hint">
              {listed(departure.carrier, t('day.pallets', { count: departure.pallets }))}
            </span>
            {mayMove && gates.length > 0 && (
              <Form<TodayActions> action="move" to={here}>
                <Hidden name="shipment" value={slotOf(departure)} />
                <label class="hidden" for={`gate-${departure.uuid}`}>
                  {t('day.gateOf', { name: departure.externalIdentifier })}
                </label>
                <select id={`gate-${departure.uuid}`} name="gate" required>
                  <option value="">{t('day.chooseGate')}</option>
                  {gates.map((gate) => (
                    <option value={gate.uuid}>{gate.name}</option>
                  ))}
                </select>
                <Submit quiet label={t('day.assignTo', { name: departure.externalIdentifier })}>
                  {t('day.assign')}
                </Submit>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};

/** The form that moves a shipment by choosing from lists. Dragging uses a separate form. */
export const MoveForm: FC<Movable & { shown: TodayContext }> = ({
  departures,
  gates,
  here,
  shown: { zone },
}) => {
  const { failed } = usePageState();
  const { t } = useWords();
  if (departures.length === 0) return null;
  const option = (departure: Departure) => ({
    value: slotOf(departure),
    label: t('day.option', {
      name: departure.externalIdentifier,
      gate: departure.gate?.name ?? t('day.noGate'),
      time: clockIn(zone, departure.departureDate),
    }),
  });
  return (
    <>
      <details class="card move" id="move" open={failed?.action === 'move'}>
        <summary>{t('day.move')}</summary>
        <p class="hint">{t('day.moveHint')}</p>
        <Form<TodayActions> action="move" to={here} class="filters" label={t('day.move')}>
          <Select name="shipment" label={t('day.what')} options={departures.map(option)} />
          <Select
            name="gate"
            label={t('day.toGate')}
            options={[
              { value: '', label: t('day.stays') },
              { value: NO_GATE, label: t('day.noGate') },
              ...gates.map(({ uuid, name }) => ({ value: uuid, label: name })),
            ]}
          />
          <Field
            name="departure"
            label={t('day.departure')}
            type="datetime-local"
            hint={t('day.departureHint')}
          />
          <Submit>{t('day.moveIt')}</Submit>
        </Form>
      </details>
      <Form<TodayActions> action="move" to={here} id="drop">
        <Hidden name="shipment" value="" />
        <Hidden name="gate" value="" />
        <Hidden name="departure" value="" />
      </Form>
      <output id="dropping" />
    </>
  );
};

/**
 * The last move and its undo, in the bar at the bottom. The text is about the shipment as it is now, so it stays right
 * when the page is refreshed.
 */
export const Undo: FC<{ of: Departure; before: SlotInput; here: string; shown: TodayContext }> = ({
  of,
  before,
  here,
  shown: { zone },
}) => {
  const words = useWords();
  const { t } = words;
  const address = `${here}&${new URLSearchParams({ undo: slotText(before) })}`;
  return (
    <div id="undo" data-moved={of.uuid} data-address={address}>
      <p role="status">{movedText(words, of, zone)}</p>
      <Form<TodayActions> action="move" to={here} class="inline">
        <Hidden name="shipment" value={slotOf(of)} />
        <Hidden name="gate" value={before.gate ?? NO_GATE} />
        <Hidden name="departure" value={String(before.departs)} />
        <Submit quiet label={words.labelled(t('day.undo'), of.externalIdentifier)}>
          <Icon name="undo" /> {t('day.undo')}
        </Submit>
      </Form>
      <a class="button quiet" href={here} data-close aria-label={t('kit.close')}>
        <Icon name="closed" />
      </a>
    </div>
  );
};
