import { expect, it } from 'vitest';
import { JPEG } from '../../../images.ts';
import { operator } from '../../client.ts';
import { loadingDock, newDock } from '../load/shipment/dock.ts';
import { addPhoto, photosOf } from './photos.ts';

const outcome = async (...args: Parameters<typeof addPhoto>) => {
  const { status, body } = await addPhoto(...args);
  return status === 201 ? 201 : body.code;
};

it('takes photos at the gate only of things in progress there', async () => {
  const dock = await loadingDock();
  await dock.manifest('OPEN', 'X');
  // The records of a pallet that belongs there stay at the gate after the shipment is completed.
  await dock.scan('A');
  const at = (reference: string, gate = 'G') => outcome(dock, `kind=LOAD&${reference}`, JPEG, { gate });
  for (const reference of ['trackIdentifier=A', 'manifestExternalId=M', 'shipmentExternalId=S']) {
    expect(await at(reference)).toBe(201);
    expect(await at(reference, 'H')).toBe('notAtGate');
  }
  expect(await at('trackIdentifier=X')).toBe('notAtGate');
  expect(await at('manifestExternalId=OPEN')).toBe('notAtGate');
  expect(await at('trackIdentifier=A', 'Z')).toBe('gateNotFound');
  await dock.must('POST', '/shipment/S/status/COMPLETED');
  for (const reference of ['trackIdentifier=A', 'manifestExternalId=M', 'shipmentExternalId=S']) {
    expect(await at(reference)).toBe('notAtGate');
  }
  expect(await outcome(dock, 'kind=LOAD&shipmentExternalId=S', JPEG)).toBe(201);
  expect((await photosOf(dock, '&shipmentExternalId=S')).map(({ author }) => author.firstName)).toEqual([
    'WMS',
    'Device',
  ]);
});

it('takes photos at the gate of a wrong pallet, its manifest and its shipment, also after they closed', async () => {
  const dock = await loadingDock();
  await dock.scan('X');
  await dock.must('POST', '/shipment/S/status/COMPLETED');
  const at = (reference: string, gate = 'G') => outcome(dock, `kind=DAMAGE&${reference}`, JPEG, { gate });
  const { content } = (await dock.must('GET', '/alert-event?severity=CRITICAL')).body;
  const holder = content[0].manifestExternalId as string;
  const other = holder === 'M' ? 'N' : 'M';
  for (const reference of ['trackIdentifier=X', `manifestExternalId=${holder}`, 'shipmentExternalId=S']) {
    expect(await at(reference)).toBe(201);
    expect(await at(reference, 'H')).toBe('notAtGate');
  }
  expect(await at(`manifestExternalId=${other}`)).toBe('notAtGate');
  expect((await dock.must('GET', '/track/X')).body.damaged).toBe(true);
});

it('takes no photo at the gate of another pallet with the id of a wrong pallet', async () => {
  const dock = await loadingDock();
  await dock.scan('X');
  const { uuid } = (await dock.must('GET', '/track/X')).body;
  await dock.must('POST', '/shipment/S/status/COMPLETED');
  await dock.must('PATCH', '/track/X/retire?force=true');
  await dock.couple('X');
  const at = (track: string) => outcome(dock, `kind=DAMAGE&trackIdentifier=${track}`, JPEG, { gate: 'G' });
  expect([await at('X'), await at(uuid)]).toEqual(['notAtGate', 201]);
  expect((await dock.must('GET', '/track/X')).body.damaged).toBe(false);
});

it('takes no photo at the gate after the manifest there was deleted', async () => {
  const dock = await newDock();
  await dock.couple('A');
  await dock.manifest('OWN', 'A');
  await dock.must('POST', '/manifest/OWN/gate/G');
  for (const status of ['TO_DO', 'IN_PROGRESS']) await dock.must('POST', `/manifest/OWN/status/${status}`);
  const at = () => outcome(dock, 'kind=LOAD&trackIdentifier=A', JPEG, { gate: 'G' });
  expect(await at()).toBe(201);
  await dock.must('DELETE', '/manifest/OWN');
  expect(await at()).toBe('notAtGate');
});

it('takes photos at the gate with the scope GATE_WRITE, of the own organization only', async () => {
  const dock = await loadingDock();
  const { body } = await operator('POST', `/organization/${dock.uuid}/access-token`, {
    name: 'n',
    scopes: ['CAMERA_READ'],
  });
  const query = 'kind=LOAD&trackIdentifier=A';
  expect(await outcome({ ...dock, token: body.secret }, query, JPEG, { gate: 'G' })).toBe('scopeRequired');
  const stranger = await newDock();
  expect(await outcome(stranger, query, JPEG, { gate: 'G' })).toBe('trackNotFound');
  expect(await outcome(stranger, query, JPEG)).toBe('trackNotFound');
});
