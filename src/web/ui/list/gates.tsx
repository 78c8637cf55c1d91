import type { FC } from 'hono/jsx';
import type { Database } from '../../../core/lib/database.ts';
import { type GateReference, gatesInOrder } from '../../../dispatch/gate/rules.ts';
import { gateNamesQuery } from '../../../dispatch/gate/store.ts';
import { useWords } from '../../../messages/context.ts';
import { Field, Select } from '../form/form.tsx';
import { ResourceLink } from '../page/resource.tsx';
import { Plate } from '../parts/badges.tsx';
import { OptionalText } from '../parts/components.tsx';
import type { FilterChoice } from './filters.tsx';

/** A gate in a row: its plate, linked to its page; a dashed plate for no gate. */
export const GatePlate: FC<{ gate: GateReference | null }> = ({ gate }) =>
  gate === null ? (
    <span class="plate none">
      <span aria-hidden="true">?</span>
      <span class="hidden">{useWords().t('desk.noGate')}</span>
    </span>
  ) : (
    <a href={`/app/gate/${gate.uuid}`} title={gate.name} class="gate-link">
      <Plate gate={gate} />
      <span class="hidden">{gate.name}</span>
    </a>
  );

/** A gate in a file. */
export const gatePlain = ({ gate }: { gate: GateReference | null }): string | null =>
  gate?.externalIdentifier ?? null;

/** A gate of another thing, linked to its page. */
export const GateLink: FC<{ gate: GateReference | null }> = ({ gate }) =>
  gate === null ? (
    <OptionalText of={null} />
  ) : (
    <ResourceLink resource="gate" uuid={gate.uuid}>
      <Plate gate={gate} /> {gate.name}
    </ResourceLink>
  );

/** How many gates a form lists; where there are more, it takes the gate's id as text. */
export const GATES_MAXIMUM = 200;

/** Reads the gates that can be chosen, as one statement of a D1 batch. */
export const gatesQuery = (database: Database) => gateNamesQuery(database, GATES_MAXIMUM + 1);

/** A gate as a choice. */
export type GateChoice = Omit<GateReference, 'uuid'>;

/** A choice of a gate, or of none where `none` gives that a name. */
export const GateField: FC<{
  gates: readonly GateChoice[];
  name?: string;
  member?: string;
  label?: string;
  value?: string | undefined;
  none?: string;
}> = ({ gates, name = 'gate', member = name, label, value, none }) => {
  const { t } = useWords();
  const field = { name, member, label: label ?? t('desk.gate'), value };
  return gates.length > GATES_MAXIMUM ? (
    <Field {...field} hint={none && t('desk.noneIfEmpty')} />
  ) : (
    <Select
      {...field}
      options={[...(none === undefined ? [] : [{ value: '', label: none }]), ...gateOptions(gates)]}
    />
  );
};

/** Gates as the choices of a filter; undefined if they are too many. A filter splits its value at commas. */
export const gateChoices = (gates: readonly GateReference[]): readonly FilterChoice[] | undefined =>
  gates.length > GATES_MAXIMUM
    ? undefined
    : gateOptions(gates).map(({ value, label }) => ({
        value: value.includes(',')
          ? gates.find(({ externalIdentifier }) => externalIdentifier === value)!.uuid
          : value,
        label,
      }));

/** Gates as the options of a choice, in the natural order of their names. Gates with the same name also have their id. */
export function gateOptions(gates: readonly GateChoice[]): FilterChoice[] {
  const times = new Map<string, number>();
  for (const { name } of gates) times.set(name, (times.get(name) ?? 0) + 1);
  return gatesInOrder(gates).map(({ externalIdentifier, name }) => ({
    value: externalIdentifier,
    label: times.get(name) === 1 ? name : `${name} · ${externalIdentifier}`,
  }));
}
