import { expect, it } from 'vitest';
import { look, post, signIn } from '../../delivery/live/listener.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';

it('a form of a page is sent as POST, also with X-HTTP-Method-Override', async () => {
  const dock = await newDock();
  const { cookie } = await signIn(dock);
  const html = await (await look('/app/client', cookie)).text();
  const token = /name="token" value="([^"]+)"/.exec(html)![1]!;
  const form = { token, key: 'k', action: 'create', displayName: 'Client', externalId: 'C' };
  const headers = { Cookie: cookie, 'X-HTTP-Method-Override': 'DELETE' };
  expect((await post('/app/client', form, headers)).status).toBe(303);
  await dock.must('GET', '/client/C');
});
