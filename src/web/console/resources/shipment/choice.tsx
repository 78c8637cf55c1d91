import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import type { FC } from 'hono/jsx';
import { contains } from '../../../../core/http/list-statements.ts';
import { list, text } from '../../../../core/http/schema.ts';
import type { Database } from '../../../../core/lib/database.ts';
import { listed } from '../../../../core/lib/text.ts';
import { consigneeOf } from '../../../../dispatch/label/store.ts';
import { MANIFESTS_MAXIMUM, type ManifestReference } from '../../../../dispatch/load/shipment/rules.ts';
import { useWords } from '../../../../messages/context.ts';
import { action as declareAction, type PageContext } from '../../../ui/confirm/action.ts';
import { Submit, TextArea } from '../../../ui/form/form.tsx';
import { useTyped } from '../../../ui/form/form-state.ts';
import { limitsOf } from '../../../ui/form/limits.ts';
import { FIND, useFind } from '../../../ui/list/filters.tsx';
import { show } from '../../../ui/page/answer.tsx';
import type { NoActions, PropWith } from '../../../ui/parts/form-rules.ts';
import { type Typed, usePageState, type View } from '../../../ui/parts/view.ts';

/** The action that searches for manifests, and the name of the inputs that choose them. */
export const LOOK = 'look';
export const CHOICE = 'manifest';

/** The maximum number of manifests that are offered, and of the newest manifests that are searched. */
const OFFERED = 50;
const CONSIDERED = 500;

/** The id of the error about the choice. */
const ERROR = 'manifests-error';

/** A manifest that can join a shipment. */
interface Candidate {
  uuid: string;
  externalIdentifier: string;
  assetsCount: number;
  consignee: string | null;
}

/**
 * The newest planned manifests with a text in their name. A manifest in a shipment is no longer
 * planned.
 */
export const candidatesQuery = (
  { organization }: Database,
  find: string,
): SQL<Candidate> => sql`SELECT m.uuid, m.external_identifier AS "externalIdentifier", m.assets_count AS "assetsCount",
    ${consigneeOf(organization, sql`m.uuid`)} AS consignee
  FROM (SELECT * FROM manifest WHERE organization_uuid = ${organization} AND manifest_status = 'PLANNED'
    AND deleted_date IS NULL ORDER BY create_date DESC, uuid DESC LIMIT ${CONSIDERED}) m
  WHERE ${contains([sql`m.folded_identifier`], find)}
  ORDER BY m.create_date DESC, m.uuid DESC LIMIT ${OFFERED + 1}`;

/**
 * A choice of manifests from a list or by name. Chosen manifests stay chosen during another search.
 */
export function ManifestChoice<A = NoActions>({
  candidates,
}: {
  candidates: PropWith<typeof LOOK, A, readonly Candidate[]>;
}) {
  const { t } = useWords();
  const found = useFind();
  const find = useTyped(FIND) ?? found;
  const chosen = [useTyped(CHOICE) ?? []].flat();
  // Commands name the list of manifests. It has two inputs.
  const { failed } = usePageState();
  const error = failed?.refusal.errors?.find(({ field }) => field === 'manifests')?.message;
  const offered = candidates.slice(0, OFFERED);
  const kept = chosen.filter((name) =>
    offered.every(({ externalIdentifier }) => externalIdentifier !== name),
  );
  return (
    <>
      <div class="filters">
        <div class="field">
          <label for={FIND}>{t('make.searchPlanned')}</label>
          <input
            id={FIND}
            name={FIND}
            type="search"
            value={String(find)}
            maxlength={limitsOf(typedForm, FIND).maxlength}
          />
        </div>
        <Submit<Record<typeof LOOK, unknown>> quiet anyhow action={LOOK}>
          {t('make.search')}
        </Submit>
      </div>
      {offered.length + kept.length > 0 && (
        <fieldset class="checkboxes" aria-describedby={error && ERROR}>
          <legend>{t('make.planned')}</legend>
          {kept.map((name) => (
            <Choice name={name} checked label={name} />
          ))}
          {offered.map(({ externalIdentifier: name, assetsCount: count, consignee }, index) => (
            <Choice
              name={name}
              checked={chosen.includes(name)}
              focused={error !== undefined && index === 0}
              label={listed(t('make.candidate', { name, count }), consignee)}
            />
          ))}
        </fieldset>
      )}
      {candidates.length > OFFERED && <p class="hint">{t('make.moreCandidates')}</p>}
      {error && (
        <p class="error" id={ERROR}>
          {error}
        </p>
      )}
      <TextArea
        name="names"
        label={t('make.names')}
        hint={t('make.oneALine')}
        rows={2}
        autofocus={error !== undefined}
      />
    </>
  );
}

const Choice: FC<{ name: string; checked: boolean; label: string; focused?: boolean }> = ({
  name,
  checked,
  label,
  focused = false,
}) => (
  <label>
    <input type="checkbox" name={CHOICE} value={name} checked={checked} autofocus={focused} /> {label}
  </label>
);

/** The choice of a form as commands need it: the ticked manifests, and names in lines. */
export function chosenManifests(chosen: readonly string[], names = ''): ManifestReference[] {
  const named = names.split('\n').map((name) => name.trim());
  return [...new Set([...chosen, ...named])]
    .filter(Boolean)
    .map((manifestExternalId) => ({ manifestExternalId, manifestUuid: null }));
}

const typedForm = z.looseObject({
  [FIND]: text(0, 255).default(''),
  [CHOICE]: z.preprocess((typed) => [typed ?? []].flat(), list(text(1, 255), 0, MANIFESTS_MAXIMUM)),
});

/**
 * An action that searches for manifests and changes nothing. It shows the page again with the
 * results. The form of `action` keeps its choice and its input, or gets the input of `filled`.
 */
export const lookAction = <P,>(
  action: string,
  view: (at: PageContext, params: P, find: string) => Promise<View>,
  filled: (at: PageContext, typed: Typed) => Typed = (_, typed) => typed,
) =>
  declareAction('operate', typedForm, async (at, params: P, typed) =>
    show(at.c, at.session, await view(at, params, typed[FIND]), {
      typed: { action, typed: filled(at, typed as Typed) },
    }),
  );
