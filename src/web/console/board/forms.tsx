import type { FC } from 'hono/jsx';
import { useWords } from '../../../messages/context.ts';
import { Do } from '../kit/form.tsx';
import { Ask } from '../kit/question.tsx';
import { useShown } from '../kit/view.ts';
import type { BoardActions } from './actions.ts';
import { wrongName } from './parts.tsx';
import { isReady, type Thing, type WrongPallet } from './rules.ts';

/** How forms name a shipment or manifest. */
export const thingValue = ({ kind, uuid }: Pick<Thing, 'kind' | 'uuid'>): string => `${kind}:${uuid}`;

/** The shipment of a pallet's record, or else its manifest. */
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

/** Why the last form was refused, shown at what it was about. */
export const Refused: FC<{ about: string }> = ({ about }) => {
  const { failed } = useShown();
  if (!failed || ![failed.typed['record'], failed.typed['alert'], failed.typed['thing']].includes(about))
    return null;
  // A form about a record names its shipment or manifest, too. Its refusal is shown at the record only, where the user
  // looks.
  if (failed.typed['thing'] === about && failed.typed['record'] !== undefined) return null;
  return (
    <p class="error refused">
      <span aria-hidden="true">!</span> {failed.refusal.detail}
    </p>
  );
};

/** A form that starts what waits at a gate. */
export const StartButton: FC<{ thing: Thing }> = ({ thing }) => {
  const start = useWords().t('gate.start');
  return (
    <Do<BoardActions>
      action="start"
      values={{ thing: thingValue(thing) }}
      label={`${start}: ${thing.externalIdentifier}`}
    >
      {start}
    </Do>
  );
};

/** A form that completes what is being loaded; it asks first where something is wrong. */
export const CompleteButton: FC<{ thing: Thing; class?: string }> = ({ thing, class: className }) => {
  const values = { thing: thingValue(thing) };
  const complete = useWords().t('gate.complete');
  const label = `${complete}: ${thing.externalIdentifier}`;
  return isReady(thing) ? (
    <Do<BoardActions> action="complete" values={values} label={label}>
      {complete}
    </Do>
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

/** Link to the audit log about a thing. */
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
    <Do<BoardActions>
      action="remove"
      values={{ thing: holderValue(wrong), record: wrong.recordUuid }}
      label={`${isOff}: ${wrongName(words, wrong)}`}
    >
      {isOff}
    </Do>
  );
};
