import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { open, seal, sealedBy } from '../../../../src/core/lib/seal.ts';
import {
  makeWebhookSecret,
  openHeaders,
  openSecrets,
  sealHeaders,
  sealSecret,
  signedHeaders,
  standIn,
} from '../../../../src/delivery/webhook/secret.ts';

const KEY = 'a key of the service';

it('a delivery is signed as the example of Standard Webhooks', () => {
  const headers = signedHeaders(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
  });
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

it.each([
  ['an empty object', '{}'],
  ['characters of several bytes', 'Grüße 🚚'],
  ['half of a surrogate pair', '\ud83d'],
  ['a long text', 'x'.repeat(100_000)],
])('a delivery of %s has the signature of the official library', (_, body) => {
  const secret = makeWebhookSecret();
  const headers = signedHeaders([secret], { id: 'msg', timestamp: 7, body });
  expect(headers['webhook-signature']).toBe(new Webhook(secret).sign('msg', new Date(7_000), body));
});

it('a delivery is signed with every secret of an overlap', () => {
  const secrets = [makeWebhookSecret(), makeWebhookSecret()];
  const body = JSON.stringify({ text: 'Grüße 🚚', list: [1, 2] });
  const headers = signedHeaders(secrets, { id: 'msg', timestamp: Math.floor(Date.now() / 1000), body });
  for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  const [first] = secrets;
  expect(() => new Webhook(makeWebhookSecret()).verify(body, headers)).toThrow();
  expect(() => new Webhook(first!).verify(`${body} `, headers)).toThrow();
  expect(() => new Webhook(first!).verify(body, { ...headers, 'webhook-id': 'other' })).toThrow();
});

it('a webhook secret has 32 random bytes', () => {
  const secret = makeWebhookSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(makeWebhookSecret()).not.toBe(secret);
});

it('sealing binds a text to one context and key and differs each time', async () => {
  const sealed = await seal([KEY], 'here', 'secret ✓');
  expect(await open([KEY], 'here', sealed)).toBe('secret ✓');
  expect(sealed).not.toContain('secret');
  expect(await seal([KEY], 'here', 'secret ✓')).not.toBe(sealed);
  await expect(open([KEY], 'there', sealed)).rejects.toThrow();
  await expect(open(['another key'], 'here', sealed)).rejects.toThrow();
  // Change a character well before the end, because the last bits of the text have no meaning.
  const altered = sealed.slice(0, -5) + (sealed.at(-5) === 'A' ? 'B' : 'A') + sealed.slice(-4);
  await expect(open([KEY], 'here', altered)).rejects.toThrow();
  await expect(open([KEY], 'here', 'plain')).rejects.toThrow();
});

it('opening accepts every key of a rotation, and sealing uses the first', async () => {
  const NEXT = 'the key that comes next';
  const [before, after] = [await seal([KEY], 'here', 'x'), await seal([NEXT, KEY], 'here', 'x')];
  expect([before.startsWith(sealedBy(KEY)), after.startsWith(sealedBy(NEXT))]).toEqual([true, true]);
  for (const keys of [
    [NEXT, KEY],
    [KEY, NEXT],
  ] as const) {
    for (const sealed of [before, after]) expect(await open(keys, 'here', sealed)).toBe('x');
  }
  await expect(open([NEXT], 'here', before)).rejects.toThrow();
  await expect(open([NEXT, KEY], 'there', before)).rejects.toThrow();
});

it('a webhook opens the secrets that still sign and its own headers only', async () => {
  const sealedSecrets = await Promise.all(
    ['whsec_a', 'whsec_b', 'whsec_c'].map((text) => sealSecret([KEY], 'w', text)),
  );
  const kept = sealedSecrets.map((sealed, index) => ({ sealed, validUntilDate: [null, 1000, 999][index]! }));
  expect(await openSecrets([KEY], 'w', kept, 999)).toEqual(['whsec_a', 'whsec_b']);
  const headers = await sealHeaders([KEY], 'w', [{ name: 'Authorization', value: 'Bearer x' }]);
  expect(JSON.stringify(headers)).not.toContain('Bearer');
  expect(await openHeaders([KEY], 'w', headers)).toEqual([['Authorization', 'Bearer x']]);
  await expect(openHeaders([KEY], 'other', headers)).rejects.toThrow();
});

it('the fingerprint of headers needs the key and is the same for the same headers', () => {
  const headers = [{ name: 'a', value: 'b' }];
  expect(standIn(KEY, 'k', headers)).toBe(standIn(KEY, 'k', [{ value: 'b', name: 'a' }]));
  expect(standIn(KEY, 'k', headers)).not.toBe(standIn(KEY, 'l', headers));
  expect(standIn(KEY, 'k', headers)).not.toBe(standIn('other', 'k', headers));
});
