import { type Verdict, verifyLog } from '../../../../src/cli/audit-chain.ts';
import type { ShownRecord } from '../../../../src/cli/audit-record.ts';
import { type Answer, API, operator, type Tenant } from '../../client.ts';

/** A record as tests read it. */
export type Shown = ShownRecord & {
  action: string;
  actor: { actorType: string; uuid: string | null; displayName: string };
  entityType: string;
  entityUuid: string;
  entityExternalId: string | null;
  changes: { field: string; oldValue: unknown; newValue: unknown }[];
  requestId: string;
  ipAddress: string | null;
};

/** A page of the organization's log. */
export const pageOf = (tenant: Tenant, query = ''): Promise<Answer> =>
  tenant.call('GET', `/audit-log?${query}`);

/** Every record that a walk along `Link` returns. */
export async function* walkLog(tenant: Tenant, query: string): AsyncGenerator<Shown> {
  for (let path: string | undefined = `/audit-log?${query}`; path !== undefined; ) {
    const { status, body, headers }: Answer = await tenant.call('GET', path);
    if (status !== 200) throw new Error(JSON.stringify(body));
    yield* body.content;
    const next = /<([^>]*)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1];
    path = next?.slice(next.indexOf(API) + API.length);
  }
}

const UPWARDS = 'sort.sortBy=sequenceNumber&sort.direction=ASC';

/** The whole log, first record first. */
export async function wholeLog(tenant: Tenant, query = ''): Promise<Shown[]> {
  const records: Shown[] = [];
  for await (const record of walkLog(tenant, `${UPWARDS}&pageSize=100&${query}`)) records.push(record);
  return records;
}

/** The result of `npm run audit:verify`, by default with small pages. */
export const verified = (
  tenant: Tenant,
  anchor?: { sequenceNumber: number; hash: string },
  pageSize = 3,
): Promise<Verdict> => {
  const from = anchor ? `&sequenceNumberFrom=${anchor.sequenceNumber}` : '';
  return verifyLog(walkLog(tenant, `${UPWARDS}&pageSize=${pageSize}${from}`), anchor);
};

/** The operator's own log, newest first. */
export const operatorLog = async (query = ''): Promise<Shown[]> =>
  (await operator('GET', `/audit-log?${query}`)).body.content;
