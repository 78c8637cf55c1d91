import type { FC, PropsWithChildren } from 'hono/jsx';
import { isoDate } from '../lib/time.ts';
import {
  type BoardGate,
  type Counts,
  type GateState,
  isReady,
  progressOf,
  type Thing,
  type WrongPallet,
  wrongCount,
} from './board-rules.ts';
import { Time } from './components.tsx';
import { Form, Hidden, Submit } from './form.tsx';
import { useShown } from './view.ts';

/** What the state of a gate is called, and its sign: neither colour nor shape alone has to tell. */
export const STATES: Record<GateState, { sign: string; word: string }> = {
  WRONG: { sign: '✖', word: 'Wrong pallet' },
  ALERT: { sign: '!', word: 'Look here' },
  READY: { sign: '✓', word: 'All loaded' },
  LOADING: { sign: '▶', word: 'Loading' },
  WAITING: { sign: '◔', word: 'Ready to start' },
  FREE: { sign: '○', word: 'Free' },
};

/** The state of a gate as a band over all its width. */
export const StateBand: FC<{ state: GateState; big?: boolean }> = ({ state, big }) => (
  <p class={big ? 'state big' : 'state'}>
    <span aria-hidden="true">{STATES[state].sign}</span> {STATES[state].word}
  </p>
);

/** How a thing stands in a form. */
export const thingValue = ({ kind, uuid }: Pick<Thing, 'kind' | 'uuid'>): string => `${kind}:${uuid}`;

/** What has the record of a pallet: its shipment, else its manifest. */
export const holderValue = ({
  shipmentUuid,
  manifestUuid,
}: {
  shipmentUuid: string | null;
  manifestUuid: string;
}): string =>
  shipmentUuid === null
    ? thingValue({ kind: 'manifest', uuid: manifestUuid })
    : thingValue({ kind: 'shipment', uuid: shipmentUuid });

/** A button that does one thing to one thing. */
export const Do: FC<
  PropsWithChildren<{
    action: string;
    fields: Record<string, string>;
    label?: string;
    quiet?: boolean;
    danger?: boolean;
  }>
> = ({ action, fields, label, quiet, danger, children }) => (
  <Form action={action} class="do">
    {Object.entries(fields).map(([name, value]) => (
      <Hidden name={name} value={value} />
    ))}
    <Submit {...(quiet ? { quiet } : {})} {...(danger ? { danger } : {})} {...(label ? { label } : {})}>
      {children}
    </Submit>
  </Form>
);

/** Why the last form about something was refused, where it stands. */
export const Refused: FC<{ about: string }> = ({ about }) => {
  const { failed } = useShown();
  if (!failed || ![failed.typed['record'], failed.typed['alert'], failed.typed['thing']].includes(about))
    return null;
  // A record's form names what holds it too: the record is where the operator looks.
  if (failed.typed['thing'] === about && failed.typed['record'] !== undefined) return null;
  return (
    <p class="error refused">
      <span aria-hidden="true">!</span> {failed.refusal.detail}
    </p>
  );
};

/** How far loading is, in digits and as a bar. */
export const Progress: FC<{ counts: Counts; label: string }> = ({ counts, label }) => {
  const { loaded, total, missing } = progressOf(counts);
  return (
    <div class="progress">
      <p class="digits">
        <strong>{loaded}</strong> / {total}
        <span class="hidden"> pallets loaded</span>
        <span class="missing">
          {total === 0 ? 'no pallets' : missing === 0 ? 'all loaded' : `${missing} to load`}
        </span>
      </p>
      <progress
        value={loaded}
        max={Math.max(total, 1)}
        aria-label={`${label}: ${loaded} of ${total} loaded`}
      />
    </div>
  );
};

/** Shipment or Manifest. */
export const kindOf = ({ kind }: Pick<Thing, 'kind'>): string =>
  kind === 'shipment' ? 'Shipment' : 'Manifest';

/** A shipment or manifest by name, which leads to its page. */
export const ThingName: FC<{ thing: Pick<Thing, 'kind' | 'uuid' | 'externalIdentifier'> }> = ({ thing }) => (
  <>
    <span class="kind">{kindOf(thing)}</span>{' '}
    <a href={`/app/${thing.kind}/${thing.uuid}`} class="name">
      {thing.externalIdentifier}
    </a>
  </>
);

/** Start what waits at a gate. */
export const StartButton: FC<{ thing: Thing }> = ({ thing }) => (
  <Do action="start" fields={{ thing: thingValue(thing) }} label={`Start: ${thing.externalIdentifier}`}>
    Start
  </Do>
);

/** Complete what is loaded; asks again, saying what is amiss, where something is. */
export const CompleteButton: FC<{ thing: Thing }> = ({ thing }) => {
  const { loaded, total, missing } = progressOf(thing.counts);
  const wrong = wrongCount(thing.counts);
  const complete = (words: string, danger: boolean) => (
    <Do
      action="complete"
      fields={{ thing: thingValue(thing) }}
      label={`${words}: ${thing.externalIdentifier}`}
      {...(danger ? { danger } : {})}
    >
      {words}
    </Do>
  );
  if (isReady(thing)) return complete('Complete', false);
  return (
    <details class="ask" id={`complete-${thing.uuid}`}>
      <summary class="button quiet" aria-label={`Complete… ${thing.externalIdentifier}`}>
        Complete…
      </summary>
      <div class="ask-panel">
        <p>
          <strong>
            {loaded} of {total} loaded.
          </strong>
          {wrong > 0 && <strong> {wrong} wrong on the truck.</strong>}
        </p>
        {complete(missing > 0 ? `Complete without ${missing}` : 'Complete all the same', true)}
      </div>
    </details>
  );
};

/** Cancel something, or bring it to another gate: seldom, and not by a slip. */
export const MoreAboutThing: FC<PropsWithChildren<{ thing: Thing; audit: boolean; change: boolean }>> = ({
  thing,
  audit,
  change,
  children,
}) =>
  !audit && !change ? null : (
    <details class="ask" id={`more-${thing.uuid}`}>
      <summary class="button quiet" aria-label={`More about ${thing.externalIdentifier}`}>
        More
      </summary>
      <div class="ask-panel">
        {children}
        {change && (
          <Do action="cancel" fields={{ thing: thingValue(thing) }} danger>
            Cancel {thing.kind} {thing.externalIdentifier}
          </Do>
        )}
        {audit && <AuditLink type={thing.kind} uuid={thing.uuid} name={thing.externalIdentifier} />}
      </div>
    </details>
  );

/** Where the audit log says what happened to a thing. */
export const AuditLink: FC<{
  type: 'manifest' | 'shipment' | 'gate' | 'track';
  uuid: string;
  name: string;
}> = ({ type, uuid, name }) => (
  <a class="button quiet" href={`/app/audit-log?entityType=${type.toUpperCase()}&entityUuid=${uuid}`}>
    Audit of {name}
  </a>
);

/** What a wrong pallet is called. */
export const wrongName = ({ wmsId, markerCode }: Pick<WrongPallet, 'wmsId' | 'markerCode'>): string =>
  wmsId ?? `marker ${markerCode ?? '?'}`;

/** What is said aloud of it. */
export const wrongWords = (wrong: WrongPallet, gate: string): string =>
  `${wrong.loadingStatus === 'UNKNOWN_LOADING' ? 'Unknown' : 'Wrong'} pallet at ${gate}: ${wrongName(wrong)}. ${whereTo(wrong)}`;

/** What is to be done with it. */
export function whereTo({ loadingStatus, belongsTo }: WrongPallet): string {
  if (loadingStatus === 'UNKNOWN_LOADING') return 'Nobody knows its marker.';
  const [first] = belongsTo;
  if (!first) return 'It belongs to no open manifest.';
  return `It belongs to ${first.externalIdentifier}${first.gate === null ? '' : ` at ${first.gate}`}.`;
}

/** It is off the truck: take its record away. */
export const RemoveButton: FC<{ wrong: WrongPallet }> = ({ wrong }) => (
  <Do
    action="remove"
    fields={{ thing: holderValue(wrong), record: wrong.recordUuid }}
    label={`It is off the truck: ${wrongName(wrong)}`}
  >
    It is off the truck
  </Do>
);

/** `1 pallet`, `2 pallets`. */
export const palletsOf = ({ counts }: Pick<Thing, 'counts'>): string => {
  const { total } = progressOf(counts);
  return total === 1 ? '1 pallet' : `${total} pallets`;
};

/** An instant of epoch milliseconds. */
export const At: FC<{ date: number | null }> = ({ date }) => (
  <Time at={date === null ? null : isoDate(date)} />
);

/** At most so many, and whether there are more. */
export const upTo = <T,>(items: readonly T[], limit: number): { shown: T[]; more: boolean } => ({
  shown: items.slice(0, limit),
  more: items.length > limit,
});

/** `data-names` of a part of the page: what it is told of. */
export const namesData = (names: readonly string[]): string => JSON.stringify(names);

/** The part of a page that is kept up to date. */
export const Live: FC<
  PropsWithChildren<{ sequenceNumber: number; title: string; names: readonly string[]; class: string }>
> = ({ sequenceNumber, title, names, class: className, children }) => (
  <div
    id="live"
    class={className}
    data-sequence={String(sequenceNumber)}
    data-title={title}
    data-names={namesData(names)}
  >
    {children}
  </div>
);

/** Beside the heading: whether the page is live, and what the viewer wants of it. The script brings it to life. */
export const LiveStatus: FC<{ again: string }> = ({ again }) => (
  <div class="live-status" id="live-status">
    <p role="status" class="feed" id="feed">
      <span aria-hidden="true">○</span> Not live
    </p>
    <a class="button quiet" href={again} id="again">
      Refresh
    </a>
    <button type="button" class="button quiet" id="sound" aria-pressed="false" hidden />
    <button type="button" class="button quiet" id="wake" aria-pressed="false" hidden />
  </div>
);

/** What a gate says in the title of its page while something is wrong. */
export const titleOf = (gate: BoardGate, state: GateState): string =>
  state === 'WRONG' || state === 'ALERT'
    ? `${STATES[state].sign} ${STATES[state].word.toUpperCase()} · ${gate.name}`
    : gate.name;
