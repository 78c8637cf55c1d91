import { createHash } from 'node:crypto';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The export of an organization that has only settings. The same slug always gives the same export. */
export function emptyExport(name: string): string {
  const slug = `imported-${sha256(name).slice(0, 20)}`;
  const digits = sha256(slug);
  const uuid = `01900000-0000-7${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(6, 18)}`;
  const date = '2026-11-21T08:15:30.123Z';
  const settings = {
    name: 'Imported',
    dispatchStrategy: 'MANIFEST',
    markerAllocationMaximum: 1_000,
    markerCodeStart: 1,
    requestsPerMinute: 6_000,
    deviceOfflineAfterSeconds: 300,
  };
  const values = Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
  const lines = [
    {
      format: 'warehouse-dispatch-organization',
      version: 1,
      organization: {
        uuid,
        slug,
        ...settings,
        clientFeatureEnabled: false,
        shipmentCustomFields: [],
        databaseName: 'DB',
        status: 'ACTIVE',
        suspendDate: null,
        createDate: date,
        updateDate: date,
        deepLink: `http://127.0.0.1:8787/app/organization/${uuid}`,
      },
      sequenceNumber: 0,
      exportDate: date,
      sealingKey: '',
      listTotals: [],
    },
    {
      table: 'organization',
      values: {
        uuid,
        slug,
        ...values,
        client_feature_enabled: 0,
        shipment_custom_fields: '[]',
        suspended_date: null,
        create_date: Date.parse(date),
        update_date: Date.parse(date),
      },
    },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return `${text}${JSON.stringify({ count: lines.length, sha256: sha256(text) })}\n`;
}
