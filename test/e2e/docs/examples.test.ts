import { afterAll, beforeAll, expect, it } from 'vitest';
import { Receivers } from '../receivers.ts';
import type { Service } from '../service.ts';
import { ownService } from '../shared.ts';
import { recordDay } from './day.ts';

let service: Service;
let receivers: Receivers;

beforeAll(async () => {
  receivers = await Receivers.start();
  service = await ownService();
});
afterAll(async () => {
  await service?.dispose();
  await receivers?.stop();
});

/** If answers of the service change, run `vitest -u` on this file to record the day again. Review the difference. */
it('the recorded examples are what the service answers on a dispatch day', async () => {
  const { operations, webhooks } = await recordDay(service, receivers);
  await expect(operations).toMatchFileSnapshot('../../../src/web/docs/assets/examples.json');
  await expect(webhooks).toMatchFileSnapshot('../../../src/delivery/event-format/payloads.json');
});
