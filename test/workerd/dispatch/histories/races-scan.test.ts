import { describe, expect, it } from 'vitest';
import type { CommandRequest, Outcome } from '../../../../src/core/writer/command.ts';
import { newGate } from '../../client.ts';
import { bodyOf, request, writerOf } from '../../core/writer/requests.ts';
import { newDock } from '../load/shipment/dock.ts';
import { atOnce, by, count, ROUNDS, read, rounds, yieldTo } from './race.ts';

describe('scans of one pallet while its shipment is completed', () => {
  it('scans that race with a completion load before it or find nothing after it, and repeats are stable', async () => {
    const dock = await newDock();
    await dock.couple('A');
    const seen = new Set<string>();
    for (const round of rounds) {
      const [id, gate] = [`S${round}`, `gate ${round}`];
      await newGate(dock, gate);
      await dock.manifest(`m ${id}`, 'A');
      await dock.shipment(id, [`m ${id}`], { gateIdentifier: gate });
      await dock.must('POST', `/shipment/${id}/status/IN_PROGRESS`);
      const scan = (scanId: string) => () =>
        dock.device('POST', `/gate/${gate}/scan`, {
          scanId: `${round} ${scanId}`,
          markerCode: dock.codes['A'],
          direction: 'LOAD',
        });
      const answers = await atOnce(round, [
        scan('a'),
        scan('b'),
        scan('a'),
        async () => {
          // In the last round, the scans end first. In the first round, most do not.
          if (round === ROUNDS - 1) await yieldTo(50);
          return dock.call('POST', `/shipment/${id}/status/COMPLETED`);
        },
        scan('c'),
      ]);
      expect(answers[3]!.status).toBe(204);
      expect(answers[2]!.body).toEqual(answers[0]!.body);
      const outcomes = [0, 1, 4].map((index) => answers[index]!.body.outcome);
      for (const outcome of outcomes) expect(['LOADED', 'NO_ACTIVE_MANIFEST']).toContain(outcome);
      const loaded = outcomes.filter((outcome) => outcome === 'LOADED').length;
      seen.add(`${loaded}`);
      const [record] = await read(dock, `/shipment/${id}/asset-loading`);
      expect(record.loadingStatus).toBe(loaded > 0 ? 'LOADED' : 'NOT_LOADED');
      expect(await read(dock, `/shipment/${id}`)).toMatchObject({ loadedAssetsCount: Math.min(loaded, 1) });
      const entries = (await read(dock, '/track/A/activity?pageSize=100')).content.filter(
        (entry: { gate: { externalIdentifier: string } | null }) => entry.gate?.externalIdentifier === gate,
      );
      expect(count(entries.map(({ activityType }: { activityType: string }) => activityType))).toEqual(
        loaded > 0 ? { LOADED: 1, SEEN: 2 } : { SEEN: 3 },
      );
      const alerts = (await read(dock, '/alert-event?pageSize=100')).content.filter(
        (alert: { gate: { externalIdentifier: string } }) => alert.gate.externalIdentifier === gate,
      );
      expect(count(alerts.map(({ alertType }: { alertType: string }) => alertType))).toEqual({
        ...(loaded < 3 ? { SCAN_WITHOUT_ACTIVE_MANIFEST: 1 } : {}),
        ...(loaded === 0 ? { COMPLETED_SHORT: 1 } : {}),
      });
    }
    expect(seen.size).toBeGreaterThan(1);
  });

  it('scans of a foreign pallet that race with a completion add one record and raise one alert', async () => {
    const dock = await newDock();
    await dock.couple('X');
    for (const round of rounds) {
      const [id, gate] = [`S${round}`, `gate ${round}`];
      await newGate(dock, gate);
      await dock.manifest(`m ${id}`, 'A');
      await dock.shipment(id, [`m ${id}`], { gateIdentifier: gate });
      await dock.must('POST', `/shipment/${id}/status/IN_PROGRESS`);
      const answers = await atOnce(
        round,
        ['a', 'b', 'c', 'd'].map(
          (scanId, index) => () =>
            dock.device('POST', `/gate/${gate}/scan`, {
              scanId: `${round} ${scanId}`,
              markerCode: index % 2 === 0 ? dock.codes['X'] : 777_777,
              direction: 'LOAD',
            }),
        ),
      );
      expect(answers.map(({ body }) => body.outcome)).toEqual([
        'WRONGLY_LOADED',
        'UNKNOWN_LOADING',
        'WRONGLY_LOADED',
        'UNKNOWN_LOADING',
      ]);
      expect(new Set(answers.map(({ body }) => body.recordUuid)).size).toBe(2);
      expect(await read(dock, `/shipment/${id}/asset-loading`)).toHaveLength(3);
      const alerts = (await read(dock, '/alert-event?pageSize=100')).content.filter(
        (alert: { shipmentExternalId: string }) => alert.shipmentExternalId === id,
      );
      expect(alerts).toHaveLength(2);
    }
  });
});

describe('several writers of one organization, as an old object beside its successor', () => {
  const WRITERS = 4;
  const references = (...ids: string[]) =>
    by(...ids).map((reference) => ({ ...reference, manifestUuid: null }));
  const outcomes = (answers: Outcome[]) =>
    count(answers.map((answer) => (answer.kind === 'refused' ? answer.refusal.code : answer.kind)));

  it('several writers attach a manifest once, close a shipment once and take a scan once', async () => {
    const dock = await newDock();
    await dock.couple('X');
    const writers = Array.from({ length: WRITERS }, () => writerOf(dock));
    const all = (round: number, commandOf: (index: number) => CommandRequest) =>
      atOnce(
        round,
        writers.map((writer, index) => () => writer.execute(commandOf(index))),
      );
    for (const round of rounds) {
      await dock.manifest(`C${round}`, 'A');
      const ids = writers.map((_, index) => `${round}-${index}`);
      for (const id of ids) await dock.manifest(`own ${id}`, 'B');
      const created = await all(round, (index) =>
        request('createShipment', {
          identifier: ids[index],
          gateIdentifier: 'G',
          notes: null,
          manifests: references(`own ${ids[index]}`, `C${round}`),
          customFields: [],
        }),
      );
      expect(outcomes(created)).toEqual({ done: 1, manifestsNotAttachable: WRITERS - 1 });
      const identifier = ids[created.findIndex(({ kind }) => kind === 'done')]!;
      const started = await all(round, () =>
        request('changeShipmentStatus', { identifier, status: 'IN_PROGRESS' }),
      );
      expect(outcomes(started)).toEqual({ done: 1, transitionNotAllowed: WRITERS - 1 });

      const scan = {
        scanId: `${round}`,
        markerCode: dock.codes['X'],
        direction: 'LOAD',
        damaged: false,
        scanDate: null,
      };
      const scanned = await all(round, () =>
        request('recordScans', { gateIdentifier: 'G', scans: [{ ...scan, cameraHardwareId: null }] }),
      );
      expect(outcomes(scanned)).toEqual({ done: WRITERS });
      expect(new Set(scanned.map((answer) => JSON.stringify(bodyOf(answer)))).size).toBe(1);
      expect(bodyOf(scanned[0]!)).toMatchObject({ results: [{ outcome: 'WRONGLY_LOADED' }] });
      expect(await read(dock, `/shipment/${identifier}/asset-loading`)).toHaveLength(3);

      const closed = await all(round, (index) =>
        request('changeShipmentStatus', { identifier, status: index % 2 === 0 ? 'COMPLETED' : 'CANCELLED' }),
      );
      expect(outcomes(closed)).toEqual({ done: 1, transitionNotAllowed: WRITERS - 1 });
      const status = closed.findIndex(({ kind }) => kind === 'done') % 2 === 0 ? 'COMPLETED' : 'CANCELLED';
      expect((await read(dock, `/shipment/${identifier}`)).status).toBe(status);
      expect((await read(dock, `/manifest/C${round}`)).manifestStatus).toBe(status);
    }
    expect((await read(dock, '/alert-event?severity=CRITICAL')).totalElements).toBe(ROUNDS);
  });
});
