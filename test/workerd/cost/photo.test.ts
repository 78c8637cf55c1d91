import { expect, it } from 'vitest';
import { PHOTOS } from '../../bench/bill.ts';
import { JPEG } from '../../images.ts';
import { newDock } from '../dispatch/load/shipment/dock.ts';
import { addPhoto } from '../dispatch/photo/photos.ts';
import { recorded } from '../statements.ts';

it('a photo writes as many rows as the guide about costs says', async () => {
  const dock = await newDock();
  await dock.couple('A');
  // The first photo also stores the names of its action and actor.
  await addPhoto(dock, 'kind=LOAD&trackIdentifier=A', JPEG);
  const trips = await recorded(() => addPhoto(dock, 'kind=LOAD&trackIdentifier=A', JPEG));
  const written = trips.flatMap(({ rowsWritten }) => rowsWritten).reduce((sum, rows) => sum + rows, 0);
  expect(written).toBe(PHOTOS.rowsWritten);
});
