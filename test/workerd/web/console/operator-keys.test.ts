import { expect, it } from 'vitest';
import { newTenant } from '../../client.ts';
import { newOperator } from './operator-person.ts';

const HOSTILE = '<script>alert(1)</script>"\'&\u202e';

it('the operator issues, rotates and revokes keys on pages, and each secret shows once', async () => {
  const who = await newOperator('READ', 'PROVISION');
  const path = `/operator/organization/${(await newTenant()).uuid}`;
  for (const [segment, fields] of [
    ['api-key', { name: HOSTILE }],
    ['access-token', { name: 'Camera', scopes: 'CAMERA_READ' }],
  ] as const) {
    const issued = await who.post(`${path}/${segment}`, 'issue', fields);
    expect([segment, issued.status]).toEqual([segment, 200]);
    const secret = /<code>(wd[kt]_test_\w{36})<\/code>/.exec(issued.text)?.[1];
    expect(secret).toBeDefined();
    expect(issued.text).not.toContain('<script>alert');
    const listed = await who.get(`${path}/${segment}`);
    expect([listed.status, listed.text.includes(secret!)]).toEqual([200, false]);
    const credential = /name="credential" value="([^"]+)"/.exec(listed.text)![1]!;
    const rotated = await who.post(`${path}/${segment}`, 'rotate', { credential });
    expect(rotated.text).toMatch(/<code>wd[kt]_test_\w{36}<\/code>/);
    // The question shows the stored name, even if the link holds another one.
    const asked = await who.post(`${path}/${segment}`, 'revoke', { credential, name: 'Another' });
    expect([asked.status, asked.text.includes('Another?')]).toEqual([200, false]);
    expect(asked.text).toContain(segment === 'api-key' ? 'API key &lt;script&gt;' : 'access token Camera?');
    expect((await who.get(`${path}/${segment}`)).text).toContain(credential);
    const unknown = { credential: crypto.randomUUID() };
    expect((await who.post(`${path}/${segment}`, 'revoke', unknown)).status).toBe(404);
    expect((await who.agree(`${path}/${segment}`, 'revoke', { credential })).status).toBe(303);
    expect((await who.get(`${path}/${segment}`)).text).not.toContain(credential);
  }
  for (const segment of ['api-key', 'access-token']) {
    const nobody = `/operator/organization/${crypto.randomUUID()}/${segment}`;
    expect((await who.get(nobody)).status).toBe(404);
  }
  const none = await who.post(`${path}/access-token`, 'issue', { name: 'None' });
  expect(none.status).toBe(400);
});
