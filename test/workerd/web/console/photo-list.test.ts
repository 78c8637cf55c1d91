import { expect, it } from 'vitest';
import { JPEG } from '../../../images.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { loadingDock } from '../../dispatch/load/shipment/dock.ts';
import { addPhoto } from '../../dispatch/photo/photos.ts';
import { pagesOf } from './forms.ts';

const photosIn = (html: string): number => html.match(/thumbnail=true/g)?.length ?? 0;

it('the page of a load shows 120 photos, and its list has all of them, page by page', async () => {
  const dock = await loadingDock();
  for (let count = 0; count < 100; count += 1) await addPhoto(dock, 'kind=LOAD&shipmentExternalId=S', JPEG);
  for (let count = 0; count < 20; count += 1) await addPhoto(dock, 'kind=LOAD&manifestExternalId=M', JPEG);
  const { uuid } = (await dock.must('GET', '/shipment/S')).body;
  const page = `/app/shipment/${uuid}`;
  const pages = pagesOf(await signIn(dock, 'ADMINISTRATOR'));
  expect((await pages.get(page)).html).not.toContain('Show all photos');
  const { body } = await addPhoto(dock, 'kind=DAMAGE&trackIdentifier=A', JPEG);
  const shown = (await pages.get(page)).html;
  expect(photosIn(shown)).toBe(120);
  expect(shown).toContain(`<a href="${page}/photos">Show all photos</a>`);
  const first = (await pages.get(`${page}/photos`)).html;
  expect(photosIn(first)).toBe(120);
  expect(first).toContain('pageNumber=2');
  const second = (await pages.get(`${page}/photos?pageNumber=2`)).html;
  expect(photosIn(second)).toBe(1);
  expect(second).toContain(new URL(body.link).pathname);
  const sent = await pages.agree(`${page}/photos`, 'deletePhoto', { photo: body.uuid });
  expect([sent.status, sent.notice]).toEqual([303, 'The photo was deleted.']);
  expect((await pages.get(`/app/manifest/${uuid}/photos`)).status).toBe(404);
});
