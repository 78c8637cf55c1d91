import { describe, expect, it } from 'vitest';
import { storedState } from '../../../contract/state.ts';
import type { Answer } from '../../client.ts';
import { type Dock, newDock } from '../load/shipment/dock.ts';
import { atOnce, by, count, outcomeOf, ROUNDS, read, rounds } from './race.ts';

/** The outcomes of the answers, in the order of the requests. */
const together = (answers: Answer[]): string => answers.map(outcomeOf).join(', ');

describe('shipments that race for one manifest', () => {
  const RACERS = 6;

  it('shipments that race for a manifest attach it once, and the losers learn which item was gone', async () => {
    const dock = await newDock();
    for (const round of rounds) {
      const contested = `C${round}`;
      await dock.manifest(contested, 'A');
      const racers = Array.from({ length: RACERS }, (_, index) => `${round}-${index}`);
      for (const id of racers) {
        await dock.manifest(`own ${id}`, 'B');
        await dock.manifest(`more ${id}`, 'B');
      }
      // A third of the shipments are created with the manifest, a third attach it, a third replace their manifests.
      const ways = racers.map((_, index) => ['create', 'attach', 'replace'][index % 3]!);
      for (const [index, id] of racers.entries()) {
        if (ways[index] !== 'create') await dock.shipment(id, [`own ${id}`]);
      }
      const answers = await atOnce(
        round,
        racers.map((id, index) => () => {
          const wanted = { manifests: by(`more ${id}`, contested) };
          if (ways[index] === 'create') return dock.call('POST', '/shipment', { identifier: id, ...wanted });
          return ways[index] === 'attach'
            ? dock.call('POST', `/shipment/${id}/manifest`, wanted)
            : dock.call('PUT', `/shipment/${id}`, wanted);
        }),
      );
      const winners = racers.filter((_, index) => answers[index]!.status < 300);
      expect(winners).toHaveLength(1);
      for (const [index, id] of racers.entries()) {
        const member = await read(dock, `/manifest/more ${id}`);
        if (id === winners[0]) {
          expect(member.manifestStatus).toBe('TO_DO');
          continue;
        }
        const { status, body } = answers[index]!;
        expect([status, body.code, body.errors]).toEqual([
          409,
          'manifestsNotAttachable',
          [
            {
              field: 'manifests[1].manifestExternalId',
              code: 'manifestInAnotherShipment',
              message: expect.any(String),
              rejectedValue: contested,
            },
          ],
        ]);
        expect([member.manifestStatus, member.gate]).toEqual(['PLANNED', null]);
        const shipment = await dock.call('GET', `/shipment/${id}`);
        if (ways[index] === 'create') expect(shipment.status).toBe(404);
        else expect(shipment.body.manifests).toMatchObject(by(`own ${id}`));
      }
      const holders = (await read(dock, '/shipment?pageSize=100')).content.filter(
        (shipment: { manifests: { manifestExternalId: string }[] }) =>
          shipment.manifests.some(({ manifestExternalId }) => manifestExternalId === contested),
      );
      expect(holders.map((shipment: { externalIdentifier: string }) => shipment.externalIdentifier)).toEqual(
        winners,
      );
    }
  });
});

describe('transitions that exclude each other', () => {
  /** Creates shipment `id` with its own manifest, in progress at G, and a second manifest outside of it. */
  async function loading(dock: Dock, id: string): Promise<void> {
    await dock.manifest(`m ${id}`, 'A');
    await dock.manifest(`beside ${id}`, 'B');
    await dock.shipment(id, [`m ${id}`], { gateIdentifier: 'G' });
    await dock.must('POST', `/shipment/${id}/status/IN_PROGRESS`);
  }

  it('COMPLETED and CANCELLED exclude each other, and every loser is refused', async () => {
    const dock = await newDock();
    for (const round of rounds) {
      const id = `S${round}`;
      await loading(dock, id);
      const targets = ['COMPLETED', 'CANCELLED', 'COMPLETED', 'CANCELLED'];
      const answers = await atOnce(
        round,
        targets.map((to) => () => dock.call('POST', `/shipment/${id}/status/${to}`)),
      );
      expect(count(answers.map(outcomeOf))).toEqual({ '204': 1, '400 transitionNotAllowed': 3 });
      for (const { body } of answers.filter(({ status }) => status === 400))
        expect(body.allowedValues).toEqual([]);
      const status = targets[answers.findIndex((answer) => answer.status === 204)];
      const shipment = await read(dock, `/shipment/${id}`);
      expect(shipment.status).toBe(status);
      expect(await read(dock, `/manifest/m ${id}`)).toMatchObject({
        manifestStatus: status,
        activateDate: shipment.activateDate,
        closeDate: shipment.closeDate,
      });
    }
  });

  it('completion, deletion and attachment agree on one order', async () => {
    const dock = await newDock();
    const seen = new Set<string>();
    for (const round of rounds) {
      const id = `S${round}`;
      await loading(dock, id);
      const answers = await atOnce(round, [
        () => dock.call('POST', `/shipment/${id}/status/COMPLETED`),
        () => dock.call('DELETE', `/shipment/${id}`),
        () => dock.call('POST', `/shipment/${id}/manifest`, { manifests: by(`beside ${id}`) }),
      ]);
      const outcome = together(answers);
      seen.add(outcome);
      expect([
        '204, 409 shipmentClosed, 200',
        '204, 409 shipmentClosed, 409 shipmentClosed',
        '404 shipmentNotFound, 204, 200',
        '404 shipmentNotFound, 204, 404 shipmentNotFound',
      ]).toContain(outcome);
      const [completed, attached] = [answers[0]!.status === 204, answers[2]!.status === 200];
      const status = async (manifest: string) => (await read(dock, `/manifest/${manifest}`)).manifestStatus;
      expect([await status(`m ${id}`), await status(`beside ${id}`)]).toEqual([
        completed ? 'COMPLETED' : 'PLANNED',
        completed && attached ? 'COMPLETED' : 'PLANNED',
      ]);
    }
    expect(seen.size).toBeGreaterThan(1);
  });

  it('starting, cancelling and clearing the gate never leave a load in progress without a gate', async () => {
    const dock = await newDock();
    for (const round of rounds) {
      const id = `S${round}`;
      await dock.manifest(`m ${id}`, 'A');
      await dock.shipment(id, [`m ${id}`], { gateIdentifier: 'G' });
      const [start, clear, detach] = await atOnce(round, [
        () => dock.call('POST', `/shipment/${id}/status/IN_PROGRESS`),
        () => dock.call('PUT', `/shipment/${id}`, { gateIdentifier: '' }),
        () => dock.call('DELETE', `/shipment/${id}/manifest`, { manifests: by(`m ${id}`) }),
      ]);
      expect(['204, 400 gateRequired', '400 gateRequired, 200']).toContain(together([start!, clear!]));
      expect(detach!.status).toBe(200);
      const shipment = await read(dock, `/shipment/${id}`);
      expect([shipment.status, shipment.gate !== null]).toEqual(
        start!.status === 204 ? ['IN_PROGRESS', true] : ['TO_DO', false],
      );
      expect(await read(dock, `/manifest/m ${id}`)).toMatchObject({
        manifestStatus: 'PLANNED',
        activateDate: null,
      });
    }
  });

  it('a manifest is deleted, cancelled, started or attached, but never two of these', async () => {
    const dock = await newDock();
    for (const round of rounds) {
      const id = `S${round}`;
      for (const manifest of [`m ${id}`, `beside ${id}`]) await dock.manifest(manifest, 'A');
      await dock.shipment(id, [`m ${id}`], { gateIdentifier: 'G' });
      const beside = encodeURIComponent(`beside ${id}`);
      const answers = await atOnce(round, [
        () => dock.call('POST', `/shipment/${id}/manifest`, { manifests: by(`beside ${id}`) }),
        () => dock.call('DELETE', `/manifest/${beside}`),
        () => dock.call('POST', `/manifest/${beside}/status/TO_DO`),
      ]);
      expect([
        '200, 409 manifestBelongsToShipment, 409 manifestBelongsToShipment',
        '409 manifestsNotAttachable, 200, 404 manifestNotFound',
        '409 manifestsNotAttachable, 200, 200',
      ]).toContain(together(answers));
      const members = (await read(dock, `/shipment/${id}`)).manifests.length;
      expect(members).toBe(answers[0]!.status === 200 ? 2 : 1);
    }
  });
});

describe('creates of one identifier', () => {
  it('one of many shipments with the same identifier is created, and the others keep their manifests', async () => {
    const dock = await newDock();
    for (const round of rounds) {
      const manifests = Array.from({ length: 5 }, (_, index) => `${round}-${index}`);
      for (const id of manifests) await dock.manifest(id, 'A');
      const answers = await atOnce(
        round,
        manifests.map(
          (id) => () => dock.call('POST', '/shipment', { identifier: `S${round}`, manifests: by(id) }),
        ),
      );
      expect(count(answers.map(outcomeOf))).toEqual({ '201': 1, '409 externalIdentifierInUse': 4 });
      const winner = manifests[answers.findIndex(({ status }) => status === 201)];
      expect((await read(dock, `/shipment/S${round}`)).manifests).toMatchObject(by(winner!));
      for (const id of manifests) {
        const { manifestStatus } = await read(dock, `/manifest/${id}`);
        expect([id, manifestStatus]).toEqual([id, id === winner ? 'TO_DO' : 'PLANNED']);
      }
    }
  });

  it('one of many manifests, markers or pallets with the same identifier is created', async () => {
    const dock = await newDock({ markerCodeStart: 1 });
    await dock.must('POST', `/marker-code/allocate?imageDelivery=URL&quantity=${ROUNDS * 3}`);
    for (const round of rounds) {
      const code = round * 3 + 1;
      const couple = (markerCode: number, wmsId: string) => () =>
        dock.call('POST', '/track/couple', { markerCode, wmsId: `${wmsId}${round}` });
      const create = (asset: string) => () =>
        dock.call('POST', '/manifest', { externalIdentifier: `M${round}`, assets: [asset] });
      const answers = await atOnce(round, [
        create('A'),
        create('B'),
        create('C'),
        couple(code, 'P'),
        couple(code, 'Q'),
        couple(code + 1, 'R'),
        couple(code + 2, 'R'),
      ]);
      expect(count(answers.slice(0, 3).map(outcomeOf))).toEqual({
        '201': 1,
        '409 externalIdentifierInUse': 2,
      });
      expect(count(answers.slice(3, 5).map(outcomeOf))).toEqual({ '200': 1, '409 markerAlreadyCoupled': 1 });
      expect(count(answers.slice(5).map(outcomeOf))).toEqual({ '200': 1, '409 wmsIdAlreadyCoupled': 1 });
    }
    const { track } = await storedState(dock);
    expect(track).toHaveLength(ROUNDS * 2);
  });
});
