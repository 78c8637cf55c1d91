import { describe, expect, it } from 'vitest';
import { storedState } from '../../../contract/state.ts';
import { type Dock, newDock } from '../load/shipment/dock.ts';

const STATUSES = ['PLANNED', 'TO_DO', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED'] as const;
type Status = (typeof STATUSES)[number];
/** The statuses that a shipment can have. No change leads to PLANNED. */
const REACHED = ['TO_DO', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED'] as const;
type Reached = (typeof REACHED)[number];

const ALLOWED: Record<Reached, Status[]> = {
  TO_DO: ['IN_PROGRESS', 'CANCELLED'],
  IN_PROGRESS: ['COMPLETED', 'CANCELLED'],
  COMPLETED: [],
  CANCELLED: [],
};
/** The status changes from a new shipment to each status. */
const WAY: Record<Reached, Status[]> = {
  TO_DO: [],
  IN_PROGRESS: ['IN_PROGRESS'],
  COMPLETED: ['IN_PROGRESS', 'COMPLETED'],
  CANCELLED: ['CANCELLED'],
};

const move = (dock: Dock, to: string, id = 'S') => dock.call('POST', `/shipment/${id}/status/${to}`);
const read = async (dock: Dock, path: string) => (await dock.must('GET', path)).body;
const cells = (froms: readonly Reached[]) =>
  froms.flatMap((from) => STATUSES.map((to) => [from, to] as const));

/**
 * Creates shipment S in this status, with the manifests M and N and the cancelled X. The PLANNED manifest Y is in no
 * shipment.
 */
async function shipmentIn(status: Reached): Promise<Dock> {
  const dock = await newDock();
  await dock.couple('A', 'B');
  await dock.manifest('M', 'A');
  await dock.manifest('N', 'A', 'B');
  await dock.manifest('X', 'B');
  await dock.manifest('Y', 'B');
  await dock.shipment('S', ['M', 'X', 'N'], { gateIdentifier: 'G' });
  await dock.must('POST', '/manifest/X/status/CANCELLED');
  for (const step of WAY[status]) await dock.must('POST', `/shipment/S/status/${step}`);
  return dock;
}

describe('every cell of the shipment transition table', () => {
  it.each(cells(REACHED))('the shipment transition %s → %s follows the table', async (from, to) => {
    const dock = await shipmentIn(from);
    const before = await storedState(dock);
    const [shipment, cancelled, beside] = [
      await read(dock, '/shipment/S'),
      await read(dock, '/manifest/X'),
      await read(dock, '/manifest/Y'),
    ];
    const answer = await move(dock, to);
    if (!ALLOWED[from].includes(to)) {
      expect([answer.status, answer.body.code, answer.body.allowedValues]).toEqual([
        400,
        'transitionNotAllowed',
        ALLOWED[from],
      ]);
      expect(answer.body.detail).toBe(
        from === to ? `Shipment "S" is ${from} already.` : `Shipment "S" is ${from} and cannot become ${to}.`,
      );
      expect(await storedState(dock)).toEqual(before);
      return;
    }
    expect(answer.status).toBe(204);
    const after = await read(dock, '/shipment/S');
    expect(after).toMatchObject({
      status: to,
      gate: shipment.gate,
      manifests: shipment.manifests,
      activateDate: to === 'IN_PROGRESS' ? after.updateDate : shipment.activateDate,
      closeDate: to === 'IN_PROGRESS' ? null : after.updateDate,
    });
    expect(after.updateDate > shipment.updateDate).toBe(true);
    expect('shipmentSummaryUrl' in after).toBe(to === 'COMPLETED');
    expect(after.proofOfShipmentUrl !== null).toBe(to === 'COMPLETED');
    for (const id of ['M', 'N']) {
      const member = await read(dock, `/manifest/${id}`);
      expect(member).toMatchObject({
        manifestStatus: to,
        gate: { externalIdentifier: 'G' },
        activateDate: after.activateDate,
        closeDate: after.closeDate,
        updateDate: after.updateDate,
      });
      expect('shipmentSummaryUrl' in member).toBe(to === 'COMPLETED');
    }
    expect(await read(dock, '/manifest/X')).toEqual(cancelled);
    // Y stays as it was. Only its validation errors may go, because the other manifests have closed.
    const { validationErrors: _, ...rest } = await read(dock, '/manifest/Y');
    expect(beside).toMatchObject(rest);
  });

  it.each(REACHED)('a shipment refuses an unknown status from %s', async (from) => {
    const dock = await shipmentIn(from);
    const before = await storedState(dock);
    for (const unknown of ['DONE', 'in_progress', 'UNKNOWN', 'null']) {
      const { status, body } = await move(dock, unknown);
      expect([status, body.code, body.allowedValues]).toEqual([400, 'unknownStatus', STATUSES]);
    }
    expect(await storedState(dock)).toEqual(before);
  });

  it('a shipment starts only with a gate and keeps the documents of its manifests apart', async () => {
    const dock = await newDock();
    for (const id of ['M', 'N']) await dock.manifest(id, 'A');
    await dock.shipment('S', ['M', 'N']);
    const before = await storedState(dock);
    const refused = await move(dock, 'IN_PROGRESS');
    expect([refused.status, refused.body.code]).toEqual([400, 'gateRequired']);
    expect(await storedState(dock)).toEqual(before);
    await dock.must('POST', '/shipment/S/gate/G');
    const { uuid } = await read(dock, '/shipment/S');
    for (const to of ['IN_PROGRESS', 'COMPLETED']) expect((await move(dock, to, uuid)).status).toBe(204);
    const pages = await Promise.all(
      ['/shipment/S', '/manifest/M', '/manifest/N'].map((path) => read(dock, path)),
    );
    expect(new Set(pages.map((page) => page.shipmentSummaryUrl)).size).toBe(3);
    expect(new Set(pages.map((page) => page.proofOfShipmentUrl)).size).toBe(3);
  });

  it('a shipment without manifests, or with cancelled ones only, can change its status', async () => {
    const dock = await newDock();
    await dock.manifest('M', 'A');
    await dock.manifest('N', 'A');
    await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
    await dock.shipment('T', ['N'], { gateIdentifier: 'G' });
    await dock.must('DELETE', '/shipment/S/manifest', { manifests: [{ manifestExternalId: 'M' }] });
    await dock.must('POST', '/manifest/N/status/CANCELLED');
    const cancelled = await read(dock, '/manifest/N');
    for (const id of ['S', 'T']) {
      for (const to of ['IN_PROGRESS', 'COMPLETED']) expect((await move(dock, to, id)).status).toBe(204);
    }
    expect(await read(dock, '/manifest/M')).toMatchObject({ manifestStatus: 'PLANNED', gate: null });
    expect(await read(dock, '/manifest/N')).toEqual(cancelled);
  });
});

describe('manifests that are attached and detached', () => {
  it.each(['TO_DO', 'IN_PROGRESS'] as const)(
    'a shipment that is %s changes the manifests that are attached and detached',
    async (status) => {
      const dock = await shipmentIn(status);
      const shipment = await read(dock, '/shipment/S');
      const reference = { manifests: [{ manifestExternalId: 'Y' }] };
      const attached = await dock.must('POST', '/shipment/S/manifest', reference);
      const member = await read(dock, '/manifest/Y');
      expect(member).toMatchObject({
        manifestStatus: status,
        gate: { externalIdentifier: 'G' },
        closeDate: null,
      });
      // The manifest becomes active when it is attached, not when its shipment became active.
      expect(member.activateDate).toBe(status === 'IN_PROGRESS' ? attached.body.updateDate : null);
      expect(attached.body).toMatchObject({ status, activateDate: shipment.activateDate });
      await dock.must('DELETE', '/shipment/S/manifest', reference);
      expect(await read(dock, '/manifest/Y')).toMatchObject({
        manifestStatus: 'PLANNED',
        gate: null,
        activateDate: null,
        closeDate: null,
      });
      const cancelled = await read(dock, '/manifest/X');
      await dock.must('DELETE', '/shipment/S/manifest', { manifests: [{ manifestExternalId: 'X' }] });
      expect(await read(dock, '/manifest/X')).toEqual({ ...cancelled, updateDate: expect.any(String) });
    },
  );
});

describe('the own endpoints of a manifest that is attached', () => {
  const MEMBER: Record<Reached, Reached> = {
    TO_DO: 'TO_DO',
    IN_PROGRESS: 'IN_PROGRESS',
    COMPLETED: 'COMPLETED',
    CANCELLED: 'CANCELLED',
  };

  it.each(cells(REACHED))(
    'a manifest attached to a shipment that is %s refuses its own status %s',
    async (from, to) => {
      for (const id of ['M', 'X']) {
        const dock = await shipmentIn(from);
        const status = id === 'X' ? 'CANCELLED' : MEMBER[from];
        const before = await storedState(dock);
        const answer = await dock.call('POST', `/manifest/${id}/status/${to}`);
        const allowed = ALLOWED[status].includes('CANCELLED');
        if (to === 'CANCELLED' && allowed) {
          expect([answer.status, answer.body.manifestStatus]).toEqual([200, 'CANCELLED']);
          expect(await read(dock, '/shipment/S')).toMatchObject({
            status: from,
            updateDate: answer.body.updateDate,
          });
          continue;
        }
        expect([answer.status, answer.body.code]).toEqual(
          to === 'CANCELLED' ? [400, 'transitionNotAllowed'] : [409, 'manifestBelongsToShipment'],
        );
        expect(await storedState(dock)).toEqual(before);
      }
    },
  );

  it.each(REACHED)(
    'a manifest attached to a shipment that is %s refuses its own gate and deletion',
    async (from) => {
      const dock = await shipmentIn(from);
      const before = await storedState(dock);
      for (const id of ['M', 'N', 'X']) {
        for (const [method, path] of [
          ['POST', `/manifest/${id}/gate/H`],
          ['POST', `/manifest/${id}/gate/G`],
          ['DELETE', `/manifest/${id}`],
        ] as const) {
          const { status, body } = await dock.call(method, path);
          expect([path, status, body.code]).toEqual([path, 409, 'manifestBelongsToShipment']);
        }
      }
      expect(await storedState(dock)).toEqual(before);
    },
  );
});
