import { type Answer, call, OPERATOR_API, OPERATOR_KEY, ORIGIN, type Tenant } from '../../client.ts';

const PATIENCE_MS = 20_000;
const POLL_MS = 20;

/** Wait until an accepted operation is finished, by requests to its `Location`. @returns the operation. */
export async function finished(tenant: Tenant, accepted: Answer): Promise<Answer['body']> {
  if (accepted.status !== 202) throw new Error(`${accepted.status} ${JSON.stringify(accepted.body)}`);
  const location = accepted.headers.get('Location')!;
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const { status, headers, body } = await call('GET', `${ORIGIN}${location}`, {
      headers: location.startsWith(OPERATOR_API)
        ? { 'X-OPERATOR-KEY': OPERATOR_KEY }
        : { 'X-AUTH-KEY': tenant.key },
    });
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    const open = body.finishDate === null;
    if ((headers.get('Retry-After') === null) === open)
      throw new Error('only open operations may have Retry-After');
    if (!open) return body;
    if (Date.now() > deadline) throw new Error(`not finished: ${JSON.stringify(body)}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** All events of the organization. */
export const eventsOf = async (tenant: Tenant): Promise<Answer['body'][]> =>
  (await tenant.call('GET', '/event?limit=1000')).body.content;
