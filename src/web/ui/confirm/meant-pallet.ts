import { sql } from 'drizzle-orm';
import { refuse } from '../../../core/http/write.ts';
import type { Database } from '../../../core/lib/database.ts';
import { inList } from '../../../core/lib/sql.ts';
import { trackIdentifierSchema } from '../../../dispatch/load/manifest/schema.ts';
import { markerRangeQuery } from '../../../dispatch/marker/store.ts';
import { candidatesOf, livePalletsQuery } from '../../../dispatch/track/store.ts';
import { ssccOf } from '../../../pallet/gs1.ts';
import { gluedIn, palletsMeant, readIdentifier } from '../../../pallet/identifier.ts';
import { refuseInWords } from '../parts/language.ts';
import type { PageContext } from './action.ts';

/**
 * The WMS id that a text in a form means: the id of the only live or expected pallet, or else the id of a new pallet.
 * With `takesMarkers` the code of a marker means its pallet.
 * @throws 400 if the text means several pallets, or the scanner types an SSCC for another keyboard
 */
export async function wmsIdMeant(
  { database, words: { t } }: PageContext,
  given: string,
  takesMarkers: boolean,
): Promise<string> {
  const read = readIdentifier(given, database.organization);
  const reading = takesMarkers ? read : { ...read, marker: null };
  const { live, expected } = await database.ask({
    live: livePalletsQuery(database, [reading]),
    expected: sql<{ wmsId: string }>`SELECT DISTINCT wms_id AS "wmsId" FROM asset_loading
      WHERE organization_uuid = ${database.organization} AND wms_id ${inList(candidatesOf([reading]).ids)} AND closed = 0
        AND loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING') LIMIT 20`,
  });
  const known = new Set(live.map(({ wmsId }) => wmsId));
  const { pallets, way } = palletsMeant(reading, [
    ...live,
    ...expected.filter(({ wmsId }) => !known.has(wmsId)),
  ]);
  const [pallet] = pallets;
  const { text, sscc, undone } = reading;
  const glued = way === 'ID' ? [] : gluedIn(reading);
  if (pallets.length > 1 || glued.length > 0) {
    const names = (glued.length > 0 ? glued : pallets.map(({ wmsId }) => wmsId)).join(', ');
    refuseInWords('validationFailed', t('scan.severalNamed', { text, pallets: names }));
  }
  if (!pallet && undone.some(({ meant }) => meant.some(ssccOf)))
    refuseInWords('validationFailed', `${t('gate.notCalled', { name: text })} ${t('scan.keyboard')}`);
  const wmsId = pallet?.wmsId ?? sscc ?? text;
  if (!trackIdentifierSchema.safeParse(wmsId).success)
    refuse('validationFailed', 'The WMS id must have 1 to 255 characters.');
  return wmsId;
}

/**
 * Whether a text names a pallet, so that it means nothing else. It may be an SSCC or several, a marker of the organization, or
 * the id of a live pallet.
 */
export async function namesPallet(database: Database, text: string): Promise<boolean> {
  const reading = readIdentifier(text);
  if (reading.sscc !== undefined || gluedIn(reading).length > 0) return true;
  const {
    ranges: [range],
    live,
  } = await database.ask({
    ranges: markerRangeQuery(database),
    live: livePalletsQuery(database, [reading]),
  });
  const { marker } = reading;
  if (marker !== null && marker >= (range?.first ?? Infinity) && marker <= (range?.last ?? 0)) return true;
  const { way } = palletsMeant(reading, live);
  return way === 'ID' || way === 'GS1';
}
