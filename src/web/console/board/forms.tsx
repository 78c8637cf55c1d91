import type { FC } from 'hono/jsx';
import { useWords } from '../../../messages/context.ts';
import { Ask } from '../../ui/confirm/confirmation.tsx';
import { ActionButton } from '../../ui/form/form.tsx';
import { usePageState } from '../../ui/parts/view.ts';
import type { BoardActions, GateActions } from './actions.ts';
import { wrongName } from './board-parts.tsx';
import { asksForFields } from './completion.tsx';
import { type BoardGate, type BoardLoad, isReady, loadValue, type WrongPallet } from './rules.ts';

/** The shipment of a pallet's record, or else its manifest. */
export const recordLoadValue = ({
  shipmentUuid,
  manifestUuid,
}: {
  shipmentUuid: string | null;
  manifestUuid: string;
}): string =>
  shipmentUuid === null
    ? loadValue({ kind: 'manifest', uuid: manifestUuid })
    : loadValue({ kind: 'shipment', uuid: shipmentUuid });

/** The reason why the last form was refused, shown beside its subject. */
export const Refused: FC<{ about: string }> = ({ about }) => {
  const { failed } = usePageState();
  if (!failed || ![failed.typed['record'], failed.typed['alert'], failed.typed['thing']].includes(about))
    return null;
  // A form about a record also names its shipment or manifest. Show the refusal only at the record, because
  // the user looks there.
  if (failed.typed['thing'] === about && failed.typed['record'] !== undefined) return null;
  return (
    <p class="error refused">
      <span aria-hidden="true">!</span> {failed.refusal.detail}
    </p>
  );
};

/** How many loads that are ready have their button in sight, without opening *More*. A phone has room for the first one. */
const STARTS_MAXIMUM = 3;

/** The loads of a gate that have a button to start them in sight. */
export const startsInSight = ({ active, waiting }: Pick<BoardGate, 'active' | 'waiting'>): BoardLoad[] =>
  active.length > 0 ? [] : waiting.slice(0, STARTS_MAXIMUM);

/** A form that starts loading at a gate. `named`: whether the button shows the name of the load. */
export const StartButton: FC<{ thing: BoardLoad; named?: boolean; quiet?: boolean }> = ({
  thing,
  named,
  quiet,
}) => {
  const { t, labelled } = useWords();
  const start = t('gate.start');
  return (
    <ActionButton<BoardActions>
      action="start"
      values={{ thing: loadValue(thing) }}
      {...(named ? {} : { label: labelled(start, thing.externalIdentifier) })}
      {...(quiet ? { quiet } : {})}
    >
      {start} {named && <span class="of">{thing.externalIdentifier}</span>}
    </ActionButton>
  );
};

/** A form that completes loading. It asks if something is wrong, or for vehicle and seal. */
export const CompleteButton: FC<{ thing: BoardLoad; class?: string }> = ({ thing, class: className }) => {
  const values = { thing: loadValue(thing) };
  const { t, labelled } = useWords();
  const complete = t('gate.complete');
  const label = labelled(complete, thing.externalIdentifier);
  const { session } = usePageState();
  return isReady(thing) && !asksForFields(session!.organization, thing.kind) ? (
    <ActionButton<BoardActions> action="complete" values={values} label={label}>
      {complete}
    </ActionButton>
  ) : (
    <Ask<BoardActions>
      action="complete"
      values={values}
      label={label}
      quiet
      {...(className ? { class: className } : {})}
    >
      {complete}
    </Ask>
  );
};

/**
 * At the page of a gate: a link to the question with photo, seal and signature, which completes loading. `named`: whether it
 * shows the name of the load.
 */
export const FinishButton: FC<{ thing: BoardLoad; named: boolean }> = ({ thing, named }) => {
  const { t, labelled } = useWords();
  const complete = t('gate.complete');
  return (
    <Ask<GateActions>
      action="complete"
      values={{ thing: loadValue(thing) }}
      label={labelled(complete, thing.externalIdentifier)}
      class={isReady(thing) ? 'button' : 'button quiet'}
    >
      {complete} {named && <span class="of">{thing.externalIdentifier}</span>}
    </Ask>
  );
};

/** A link to the audit log of a thing. */
export const AuditLink: FC<{ uuid: string; name: string }> = ({ uuid, name }) => (
  <a class="button quiet" href={`/app/audit-log?entityUuid=${uuid}`}>
    {useWords().t('gate.audit', { name })}
  </a>
);

/** A form that deletes the record of a pallet that was taken off the truck. */
export const RemoveButton: FC<{ wrong: WrongPallet }> = ({ wrong }) => {
  const words = useWords();
  const isOff = words.t('gate.isOff');
  return (
    <ActionButton<BoardActions>
      action="remove"
      values={{ thing: recordLoadValue(wrong), record: wrong.recordUuid }}
      label={words.labelled(isOff, wrongName(words, wrong))}
    >
      {isOff}
    </ActionButton>
  );
};
