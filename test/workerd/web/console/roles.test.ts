import { expect, it } from 'vitest';
import { signIn } from '../../delivery/live/listener.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { gateUuid, pagesOf } from './forms.ts';

const FIELDS = [
  { fieldKey: 'haulier', fieldType: 'TEXT', role: 'CARRIER' },
  { fieldKey: 'plate', fieldType: 'TEXT', role: 'VEHICLE' },
  { fieldKey: 'sealed by', fieldType: 'TEXT', role: 'SEAL' },
];

it('board and wall show carrier, vehicle and seal, and the gate shows what to check before leaving', async () => {
  const dock = await newDock({ shipmentCustomFields: FIELDS });
  await dock.couple('A');
  await dock.manifest('M', 'A');
  const customFields = Object.entries({ haulier: 'Federal', plate: 'HH-AB 123', 'sealed by': 'SL-9' }).map(
    ([fieldKey, fieldValue]) => ({ fieldKey, fieldValue }),
  );
  await dock.shipment('S', ['M'], { gateIdentifier: 'G', customFields });
  await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
  await dock.scan('A');
  const pages = pagesOf(await signIn(dock, 'ADMINISTRATOR'));
  expect((await pages.get('/app/board')).html).toContain('Federal, HH-AB 123, Seal SL-9');
  expect((await pages.get('/app/board?screen=wall')).html).toContain('S, HH-AB 123, Seal SL-9');
  const gate = (await pages.get(`/app/gate/${await gateUuid(dock)}`)).html.replace(/<[^>]+>/g, ' ');
  expect(gate.replace(/\s+/g, ' ')).toContain('Vehicle HH-AB 123 Seal SL-9');
});
