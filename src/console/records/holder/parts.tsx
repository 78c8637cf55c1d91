import type { Child, FC } from 'hono/jsx';
import { placeQuery } from '../../../archive/store.ts';
import { origin } from '../../../http/types.ts';
import { redirect } from '../../kit/answer.tsx';
import { Badge } from '../../kit/components.tsx';
import {
  CustomFields,
  Deleted,
  type GateChoice,
  GateField,
  GateLink,
  GatePlate,
  gatePlain,
  History,
} from '../../kit/detail.tsx';
import { Do, Form, Submit } from '../../kit/form.tsx';
import { Loaded } from '../../kit/marks.tsx';
import type { At } from '../../kit/page.tsx';
import { Ask } from '../../kit/question.tsx';
import { type Column, instant } from '../../kit/rows.tsx';
import { Time } from '../../kit/time.tsx';
import { News } from './news.tsx';
import type { NewsRead } from './news-store.ts';
import { Records, type RecordsProps } from './records.tsx';
import { standingOf } from './standing.ts';

type Gate = { uuid: string; externalIdentifier: string; name: string } | null;

/** What a row of a list of manifests or shipments has. */
interface Listed {
  gate: Gate;
  counts: { loaded: number; total: number };
  createDate: number;
  updateDate: number;
  closeDate: number | null;
}

/** The gate of a manifest or shipment. */
export const GATE_COLUMN: Column<Pick<Listed, 'gate'>, never> = {
  label: 'Gate',
  value: ({ gate }) => <GatePlate gate={gate} />,
  plain: gatePlain,
  narrow: 'head',
};

/** The columns that lists of manifests and of shipments end with. */
export const HOLDER_COLUMNS: readonly Column<Listed, 'updateDate'>[] = [
  {
    label: 'Loaded',
    value: ({ counts, closeDate }) => <Loaded {...counts} closed={closeDate !== null} />,
    plain: ({ counts }) => counts.loaded,
    narrow: 'wide',
  },
  { label: 'Pallets', plain: ({ counts }) => counts.total, filed: true },
  {
    label: 'Changed',
    sort: 'updateDate',
    plain: ({ updateDate }) => instant(updateDate),
    narrow: 'gone',
  },
  { label: 'Created', plain: ({ createDate }) => instant(createDate), filed: true },
  { label: 'Closed', plain: ({ closeDate }) => instant(closeDate), filed: true },
];

/** A manifest or shipment, as its page shows it. */
interface Holder {
  uuid: string;
  externalIdentifier: string;
  deleted: boolean;
  gate: Gate;
  totalAssetsCount: number;
  loadedAssetsCount: number;
  createDate: string;
  activateDate: string | null;
  closeDate: string | null;
  customFields: readonly { fieldKey: string; fieldValue: string }[];
  shipmentSummaryUrl?: string | undefined;
  proofOfShipmentUrl: string | null;
}

/** Facts that a manifest and a shipment have; `further` stands behind the gate. */
export const holderFacts = (holder: Holder, further: readonly [string, Child][] = []): [string, Child][] => [
  ['Loaded', `${holder.loadedAssetsCount} of ${holder.totalAssetsCount}`],
  ['Gate', <GateLink gate={holder.gate} />],
  ...further,
  ['Created', <Time at={holder.createDate} />],
  ['Loading began', <Time at={holder.activateDate} />],
  ['Closed', <Time at={holder.closeDate} />],
];

/** Leads a browser to what is in the archive by now; undefined where it is not there. */
export async function toArchive({ c, database }: At, uuid: string): Promise<Response | undefined> {
  const place = await database.first(placeQuery(database, uuid, { deleted: true }));
  return place && redirect(c, `/app/archive/${uuid}`);
}

/** Leads to the public page and the document of what is completed. */
export const PublicLinks: FC<{ of: Holder }> = ({ of: { shipmentSummaryUrl, proofOfShipmentUrl } }) =>
  proofOfShipmentUrl === null ? null : (
    <p class="actions">
      <a class="button quiet" href={shipmentSummaryUrl}>
        Public summary
      </a>
      <a class="button quiet" href={proofOfShipmentUrl}>
        Proof of shipment (PDF)
      </a>
    </p>
  );

/** Assigns a gate to a manifest or shipment. */
export const GateForm: FC<{ holder: Holder; gates: readonly GateChoice[] }> = ({ holder, gates }) => (
  <Form action="gate" class="filters" label="Assign a gate">
    <GateField gates={gates} value={holder.gate?.externalIdentifier} />
    <Submit quiet>Assign gate</Submit>
  </Form>
);

/** Asks whether a manifest or shipment is to be cancelled. */
export const Cancellation: FC<{ what: string }> = ({ what }) => (
  <p class="actions">
    <Ask action="status" values={{ status: 'CANCELLED' }}>
      Cancel this {what}
    </Ask>
  </p>
);

/** Completes a manifest or shipment; what is not all aboard is asked about first, as is what has a wrong pallet. */
export const Completion: FC<{ holder: Holder }> = ({ holder }) => {
  const values = { status: 'COMPLETED' };
  const whole = holder.totalAssetsCount > 0 && holder.loadedAssetsCount === holder.totalAssetsCount;
  return whole ? (
    <Do action="status" values={values}>
      Complete
    </Do>
  ) : (
    <Ask action="status" values={values} quiet>
      Complete
    </Ask>
  );
};

/** Completed, and yet something stayed: that is another state for whoever looks. */
const stateOf = (status: string, { parts }: NewsRead): string =>
  status === 'COMPLETED' && standingOf(parts).stayed > 0 ? 'COMPLETED_SHORT' : status;

/** The page of a manifest or shipment: what is said `above` its pallets, these, its custom fields and its history. */
export const holderPage = (
  at: At,
  holder: Holder,
  {
    status,
    news,
    departureDate = null,
    above,
    pallets,
    fields,
  }: {
    status: string;
    news: NewsRead;
    /** When it is to leave, where that is planned (epoch milliseconds). */
    departureDate?: number | null;
    above: Child;
    pallets: Pick<RecordsProps, 'page' | 'gates' | 'detachable' | 'showManifest'>;
    fields: { mayChange: boolean; keys?: readonly string[] };
  },
) => ({
  title: holder.externalIdentifier,
  aside: (
    <>
      <Badge status={stateOf(status, news)} />
      <Deleted deleted={holder.deleted} />
    </>
  ),
  styles: ['records.css'],
  body: (
    <>
      <News
        news={news}
        status={status}
        name={holder.externalIdentifier}
        activateDate={holder.activateDate === null ? null : Date.parse(holder.activateDate)}
        departureDate={departureDate}
        mark={at.may('mark') && status !== 'CANCELLED' && !holder.deleted}
      />
      {above}
      <Records
        at={at}
        links={origin(at.c)}
        open={status !== 'CANCELLED' && !holder.deleted}
        loading={status === 'IN_PROGRESS'}
        {...pallets}
      />
      <CustomFields fields={holder.customFields} {...fields} />
      <History at={at} uuid={holder.uuid} />
    </>
  ),
});
