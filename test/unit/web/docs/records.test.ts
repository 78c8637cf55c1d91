import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../contract/schema.ts';
import { document } from './document.ts';

const COMMON = ['uuid', 'createDate', 'updateDate', 'deepLink'];
/**
 * Fields that show that a schema describes a stored record: its own uuid, or the date of its creation,
 * change or end.
 */
const SIGNS = ['uuid', 'recordUuid', 'createDate', 'updateDate', 'finishDate', 'activityDate'];
/** Schemas that refer to a record, or are no record. */
const REFERENCES = [
  'GateReference',
  'ClientReference',
  'AuthorityReference',
  'ManifestIdentifiers',
  'ScanResult',
  'Heartbeat',
  'ProofOfShipment',
];

/**
 * Whether a schema has a field of its own. A field that a request may repeat from an answer does not count.
 */
const says = ({ properties = {} }: Schema, field: string): boolean =>
  field in properties && (properties[field] as { readOnly?: boolean }).readOnly !== true;

const schemas: [string, Schema][] = Object.entries(document.components.schemas);

describe('every stored record', () => {
  const records = schemas.filter(
    ([name, schema]) =>
      !REFERENCES.includes(name) && SIGNS.some((sign) => says(schema, sign)) && says(schema, 'deepLink'),
  );

  it('every stored record has uuid, createDate, updateDate and deepLink', () => {
    const faulty = schemas
      .filter(([name, schema]) => !REFERENCES.includes(name) && SIGNS.some((sign) => says(schema, sign)))
      .map(([name, { properties, required = [] }]) => [
        name,
        COMMON.filter((field) => !properties?.[field] || !required.includes(field)),
      ])
      .filter(([, missing]) => missing!.length > 0);
    expect(faulty).toEqual([]);
  });

  it('every stored record appears in a list', () => expect(records.length).toBeGreaterThan(15));
});
