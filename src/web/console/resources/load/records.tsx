import type { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import type { FC } from 'hono/jsx';
import { askPage, type ListedPage } from '../../../../core/http/list-page.ts';
import { uuid } from '../../../../core/http/schema.ts';
import type { Database } from '../../../../core/lib/database.ts';
import { RECORD_STATUSES, recordList } from '../../../../dispatch/loading/store.ts';
import { useWords } from '../../../../messages/context.ts';
import { Field, Form, Select, Submit } from '../../../ui/form/form.tsx';
import { FIND, FindInput, withFind } from '../../../ui/list/filters.tsx';
import { type GateChoice, GateField } from '../../../ui/list/gates.tsx';
import { countOf, Pager } from '../../../ui/list/pager.tsx';
import { Card, statusIn } from '../../../ui/parts/components.tsx';
import { usePageState } from '../../../ui/parts/view.ts';
import type { LoadActions } from './actions.ts';
import { palletView, type ShownPallet } from './pallet-store.ts';
import { type PalletRights, PalletTable } from './pallets.tsx';

/** Records of a load on a page. */
const RECORDS_PAGE = 50;

/** The records of manifests as a list of a page. */
const palletList = { ...recordList, view: palletView };

/** The query for the records on the page of a load. */
export const recordsFilter = withFind(
  recordList.query
    .pick({ q: true, loadingStatus: true, pageNumber: true })
    .extend({ manifest: uuid.optional() }),
);
type RecordsQuery = z.output<typeof recordsFilter>;

/** Whether the query selects records of a shipment. Otherwise its page shows groups by manifest. */
export const isAsked = (search: string): boolean =>
  [FIND, 'q', 'loadingStatus', 'pageNumber', 'manifest'].some((name) =>
    new URLSearchParams(search).get(name),
  );

/** Read the records. `manifests` is a condition on the manifest uuid. */
export const askRecords = (database: Database, manifests: SQL, { manifest, ...query }: RecordsQuery) =>
  askPage(
    palletList,
    database,
    { ...query, pageSize: RECORDS_PAGE },
    manifest === undefined ? manifests : sql`${manifests} AND a.manifest_uuid = ${manifest}`,
  );

/** The selected records of a load. */
export const Records: FC<{ page: ListedPage<ShownPallet>; rights: PalletRights; showManifest: boolean }> = ({
  page,
  rights,
  showManifest,
}) => {
  const { path, search } = usePageState();
  const { t } = useWords();
  const asked = isAsked(search);
  return (
    <Card title={t('page.pallets')} id="pallets">
      <RecordSearch />
      {asked && (
        <p>
          <a href={`${path}#pallets`}>{t(showManifest ? 'load.byManifest' : 'load.allPallets')}</a>
        </p>
      )}
      <PalletTable caption={countOf(page)} pallets={page.rows} rights={rights} showManifest={showManifest} />
      <Pager page={page} hash="#pallets" />
    </Card>
  );
};

/** The search among the pallets of a load. */
export const RecordSearch: FC = () => {
  const { path, search } = usePageState();
  const words = useWords();
  const { t } = words;
  const query = new URLSearchParams(search);
  const manifest = query.get('manifest');
  const status = query.get('loadingStatus') ?? '';
  return (
    <search>
      <form method="get" action={`${path}#pallets`} class="filters">
        {manifest && <input type="hidden" name="manifest" value={manifest} />}
        <div class="field">
          <label for={FIND}>{t('load.search')}</label>
          <FindInput path={path} />
        </div>
        <div class="field">
          <label for="loadingStatus">{t('load.status')}</label>
          <select id="loadingStatus" name="loadingStatus">
            <option value="">{t('load.any')}</option>
            {RECORD_STATUSES.map((value) => (
              <option value={value} selected={value === status}>
                {statusIn(words, value)}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" class="button quiet">
          {t('load.show')}
        </button>
      </form>
    </search>
  );
};

/** The form that marks a pallet by its name as loaded at a gate. */
export const MarkForm: FC<{ gates: readonly GateChoice[] }> = ({ gates }) => {
  const words = useWords();
  const { t } = words;
  return (
    <details class="more">
      <summary>{t('load.markHere')}</summary>
      <Form<LoadActions> action="mark" class="filters" label={t('load.markPallet')}>
        <Field name="pallet" label={t('load.palletField')} />
        <Select name="status" label={t('load.status')} word={(value: string) => statusIn(words, value)} />
        <GateField gates={gates} />
        <Field name="comment" label={t('load.comment')} />
        <Submit quiet>{t('load.mark')}</Submit>
      </Form>
    </details>
  );
};
