// Creates a manifest exactly once, although requests or answers may get lost. Set BASE_URL and API_KEY first.
import { setTimeout as sleep } from 'node:timers/promises';

async function write(method, path, body, key) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${process.env.BASE_URL}${path}`, {
      method,
      headers: {
        'X-AUTH-KEY': process.env.API_KEY,
        'Idempotency-Key': key,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    }).catch(() => undefined);
    // Undefined: no answer arrived. 429 and 5xx: try again later. Every other answer is final.
    const isFinal = response && response.status !== 429 && response.status < 500;
    if (isFinal || attempt === 6) {
      if (response?.ok) return response.json();
      throw new Error(response ? `${response.status} ${await response.text()}` : 'No answer arrived');
    }
    await sleep(1_000 * Number(response?.headers.get('Retry-After') ?? 2 ** attempt));
  }
}

// The key belongs to the order, not to the attempt. So every repeat has the same key, also after a restart.
const order = { externalIdentifier: 'ORDER-10248' };
console.log(await write('POST', '/integration/rest/api/v1/manifest', order, 'create-ORDER-10248'));
