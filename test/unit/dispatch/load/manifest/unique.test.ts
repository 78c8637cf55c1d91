import type { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { migratedDatabase } from '../../../../migrations.ts';

let database: DatabaseSync;
beforeEach(() => {
  database = migratedDatabase();
});

/** An asset of manifest M, or a record with these values. */
function addAsset(uuid: string, more: Record<string, string | null> = {}, onConflict = ''): void {
  const row = {
    manifest_uuid: 'M',
    wms_id: 'P',
    loading_status: 'NOT_LOADED',
    organization_uuid: 'O',
    ...more,
  };
  const names = Object.keys(row);
  database
    .prepare(
      `INSERT INTO asset_loading (uuid, create_date, update_date, ${names.join(', ')})
      VALUES (?, 1, 1, ${names.map(() => '?').join(', ')}) ${onConflict}`,
    )
    .run(uuid, ...Object.values(row));
}

function addTrack(uuid: string, more: Record<string, string | number | null> = {}): void {
  const row = { wms_id: 'P', retirement: 'NONE', deleted_date: null, organization_uuid: 'O', ...more };
  const names = Object.keys(row);
  database
    .prepare(
      `INSERT INTO track (uuid, marker_code, flagged, damaged, couple_date, folded_wms_id, create_date, update_date,
        ${names.join(', ')}) VALUES (?1, abs(random()), 0, 0, 1, 'p', 1, 1, ${names.map(() => '?').join(', ')})`,
    )
    .run(uuid, ...Object.values(row));
}

const set = (table: string, uuid: string, values: string) =>
  database.exec(`UPDATE ${table} SET ${values} WHERE uuid = '${uuid}'`);
const COLLISION = /UNIQUE constraint failed: (asset_loading|track)\./;

describe('an asset of a manifest', () => {
  it('a pallet is an asset of a manifest once, also after the manifest has closed', () => {
    addAsset('1');
    expect(() => addAsset('2', { loading_status: 'LOADED' })).toThrow(COLLISION);
    set('asset_loading', '1', 'closed = 1');
    expect(() => addAsset('2')).toThrow(COLLISION);
  });

  it('other manifests, pallets, organizations and invalid loadings do not collide', () => {
    addAsset('1');
    addAsset('2', { manifest_uuid: 'N' });
    addAsset('3', { wms_id: 'Q' });
    addAsset('4', { organization_uuid: 'Q' });
    addAsset('5', { loading_status: 'WRONGLY_LOADED' });
    addAsset('6', { loading_status: 'UNKNOWN_LOADING', wms_id: null });
    expect(database.prepare('SELECT count(*) AS rows FROM asset_loading').get()).toEqual({ rows: 6 });
  });

  it('an update cannot make a second asset of a pallet, and a change of status is no second one', () => {
    addAsset('1');
    addAsset('2', { manifest_uuid: 'N' });
    addAsset('3', { loading_status: 'WRONGLY_LOADED' });
    addAsset('4', { wms_id: 'Q' });
    for (const status of ['LOADED', 'UNLOADED']) set('asset_loading', '1', `loading_status = '${status}'`);
    expect(() => set('asset_loading', '2', "manifest_uuid = 'M'")).toThrow(COLLISION);
    expect(() => set('asset_loading', '3', "loading_status = 'LOADED'")).toThrow(COLLISION);
    expect(() => set('asset_loading', '4', "wms_id = 'P'")).toThrow(COLLISION);
  });

  it('a row that is copied again replaces itself', () => {
    addAsset('1');
    addAsset('1', {}, "ON CONFLICT (uuid) DO UPDATE SET loading_status = 'LOADED'");
    expect(database.prepare('SELECT loading_status AS status FROM asset_loading').all()).toEqual([
      { status: 'LOADED' },
    ]);
  });
});

describe('a track', () => {
  it('a WMS id has one track that is neither retired nor deleted', () => {
    addTrack('1');
    expect(() => addTrack('2')).toThrow(COLLISION);
    expect(() => addTrack('2', { retirement: 'SCHEDULED' })).toThrow(COLLISION);
    addTrack('3', { retirement: 'RETIRED' });
    addTrack('4', { deleted_date: 1 });
    addTrack('5', { wms_id: 'Q' });
    addTrack('6', { organization_uuid: 'Q' });
    for (const [uuid, values] of [
      ['3', "retirement = 'NONE'"],
      ['4', 'deleted_date = NULL'],
      ['5', "wms_id = 'P'"],
    ] as const) {
      expect(() => set('track', uuid, values)).toThrow(COLLISION);
    }
    set('track', '1', "retirement = 'RETIRED'");
    set('track', '3', "retirement = 'SCHEDULED'");
  });
});
