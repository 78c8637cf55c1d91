import { type SQL, sql } from 'drizzle-orm';
import type { FC } from 'hono/jsx';
import type { Database } from '../../../lib/database.ts';
import { fold } from '../../../lib/text.ts';
import type { ManifestReference } from '../../../shipment/rules.ts';
import { FIND, useFind } from '../../kit/filters.tsx';
import { Checkboxes, TextArea } from '../../kit/form.tsx';
import { useShown } from '../../kit/view.ts';

/** Manifests that are offered, and among how many of the newest they are looked for. */
const OFFERED = 50;
const CONSIDERED = 500;

/** A manifest that a shipment can take. */
export interface Candidate {
  uuid: string;
  externalIdentifier: string;
  assetsCount: number;
}

/** The newest planned manifests with a text in their name, for a batch; what a shipment has is planned no more. */
export const candidatesQuery = (
  { organization }: Database,
  find: string,
): SQL<Candidate> => sql`SELECT m.uuid, m.external_identifier AS "externalIdentifier", m.assets_count AS "assetsCount"
  FROM (SELECT * FROM manifest WHERE organization_uuid = ${organization} AND manifest_status = 'PLANNED'
    AND deleted_date IS NULL ORDER BY create_date DESC, uuid DESC LIMIT ${CONSIDERED}) m
  WHERE instr(m.folded_identifier, ${fold(find)}) > 0
  ORDER BY m.create_date DESC, m.uuid DESC LIMIT ${OFFERED + 1}`;

/** Chooses manifests: from those that are offered, and by name. */
export const ManifestChoice: FC<{ candidates: readonly Candidate[] }> = ({ candidates }) => (
  <>
    {candidates.length > 0 && (
      <Checkboxes
        name="manifest"
        label="Planned manifests"
        options={candidates.slice(0, OFFERED).map(({ uuid, externalIdentifier, assetsCount }) => ({
          value: uuid,
          label: `${externalIdentifier}, ${assetsCount} ${assetsCount === 1 ? 'pallet' : 'pallets'}`,
        }))}
        values={[]}
      />
    )}
    {candidates.length > OFFERED && <p class="hint">And more: search for them, or name them here.</p>}
    <TextArea name="names" label="Manifests by external id" hint="One a line." rows={2} />
  </>
);

/** What a form with these controls sends. */
export type WithChoice = Record<string, string | string[] | undefined>;

/** What a form has chosen so, as commands take it. */
export function chosenManifests({ manifest, names }: WithChoice): ManifestReference[] {
  const named = [names ?? []].flat().flatMap((lines) => lines.split('\n').map((name) => name.trim()));
  return [
    ...[manifest ?? []].flat().map((manifestUuid) => ({ manifestExternalId: null, manifestUuid })),
    ...[...new Set(named)]
      .filter(Boolean)
      .map((manifestExternalId) => ({ manifestExternalId, manifestUuid: null })),
  ];
}

/** Looks for manifests to choose. */
export const CandidateSearch: FC = () => (
  <search>
    <form method="get" action={useShown().path} class="filters">
      <div class="field">
        <label for={FIND}>Search in planned manifests</label>
        <input id={FIND} name={FIND} type="search" value={useFind()} maxlength={255} />
      </div>
      <button type="submit" class="button quiet">
        Show
      </button>
    </form>
  </search>
);
