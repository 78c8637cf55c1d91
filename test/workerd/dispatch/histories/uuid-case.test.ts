import { expect, it } from 'vitest';
import { newDock } from '../load/shipment/dock.ts';

/** RFC 9562, section 4: uuids are written in lower case and read in any case. */
it('a uuid in upper case works wherever an external id may be given', async () => {
  const dock = await newDock();
  await dock.couple('A');
  await dock.manifest('M', 'A');
  await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
  const upper: Record<string, string> = {};
  for (const path of ['/shipment/S', '/manifest/M', '/track/A']) {
    const { body } = await dock.must('GET', path);
    const [, resource] = path.split('/');
    upper[resource!] = body.uuid.toUpperCase();
    expect((await dock.call('GET', `/${resource}/${upper[resource!]}`)).body).toEqual(body);
    upper['gate'] ??= body.gate.uuid.toUpperCase();
  }
  const { gate } = upper;
  await dock.must('POST', `/shipment/${upper['shipment']}/gate/${gate}`);
  await dock.must('PUT', '/shipment/S', { gateIdentifier: gate });
  await dock.must('POST', `/shipment/${upper['shipment']}/status/IN_PROGRESS`);
  const scan = { scanId: 'upper', markerCode: dock.codes['A'], direction: 'LOAD' };
  expect((await dock.device('POST', `/gate/${gate}/scan`, scan)).body.outcome).toBe('LOADED');
  await dock.device('POST', `/gate/${gate}/scan`, { ...scan, scanId: 'unknown', markerCode: 1 });
  for (const filter of [`/shipment?gate=${gate}`, `/manifest?gateExternalId=${gate}`]) {
    expect((await dock.must('GET', filter)).body.totalElements, filter).toBe(1);
  }
  expect((await dock.must('GET', `/alert-event?gateExternalId=${gate}`)).body.totalElements).toBe(1);
});
