import { describe, expect, it } from 'vitest';
import type { Schema } from '../../contract/schema.ts';
import { document } from './document.ts';

const COMMON = ['uuid', 'createDate', 'updateDate', 'deepLink'];
/** What tells that a schema is of something stored: its own uuid by whatever name, or when it came, changed or ended. */
const SIGNS = ['uuid', 'recordUuid', 'createDate', 'updateDate', 'finishDate', 'activityDate'];
/** What names a record that stands elsewhere, or is no record. */
const REFERENCES = [
  'GateReference',
  'ClientReference',
  'AuthorityReference',
  'ManifestIdentifiers',
  'ScanResult',
  'Heartbeat',
  'ProofOfShipment',
];

const schemas: [string, Schema][] = Object.entries(document.components.schemas);

describe('every stored record', () => {
  const records = schemas.filter(
    ([name, { properties = {} }]) =>
      !REFERENCES.includes(name) && SIGNS.some((sign) => sign in properties) && 'deepLink' in properties,
  );

  it('carries uuid, createDate, updateDate and deepLink', () => {
    const faulty = schemas
      .filter(
        ([name, { properties = {} }]) =>
          !REFERENCES.includes(name) && SIGNS.some((sign) => sign in properties),
      )
      .map(([name, { properties, required = [] }]) => [
        name,
        COMMON.filter((field) => !properties?.[field] || !required.includes(field)),
      ])
      .filter(([, missing]) => missing!.length > 0);
    expect(faulty).toEqual([]);
  });

  it('is one of many', () => expect(records.length).toBeGreaterThan(15));
});
