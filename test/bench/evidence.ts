import { JPEG } from '../images.ts';
import { type Send, type Shot, succeed } from './client.ts';
import { type Comparison, keyed, throughput } from './comparisons.ts';
import type { Side } from './measure.ts';
import { API, couplePallets, inParallel, provision } from './seed.ts';

const LABELLED = 'LABELS';
/** Labels of one sheet. */
const LABELS = 100;
/** Manifests without assets that can take photos or signatures when a slice begins. */
const STOCK = 60;
/** The number of photos and of signatures that one manifest takes. */
const TAKES = { photo: 100, signature: 20 };
const PHOTO_BYTES = 300 * 1024;
/** A signature with as many points as a finger draws. */
const STROKES = [Array.from({ length: 200 }, (_, index) => [index * 5, (index * 37) % 400])];

/** Fill the service with pallets and manifests. @returns comparisons of labels, photos and signatures. */
export async function prepareEvidence(service: string, bare: Send): Promise<Comparison[]> {
  const { send } = await provision(service, 'evidence', ['G1']);
  const assets = Array.from({ length: LABELS }, (_, index) => `34012345${String(index).padStart(10, '0')}`);
  await couplePallets(send, assets);
  const json = { externalIdentifier: LABELLED, assets };
  await succeed(send, { method: 'POST', path: `${API}/manifest`, json });
  const photo = jpegOf(PHOTO_BYTES);
  const headers = { 'Content-Type': 'image/jpeg' };
  const signature = { role: 'DRIVER', name: 'Ann Lee', strokes: STROKES, signDate: new Date().toISOString() };
  return [
    await sheet('PDF', send, bare),
    await sheet('ZPL', send, bare),
    comparison('photo', {
      bare: {
        name: 'bare bucket + object + batch, photo',
        send: bare,
        shot: (n) => withBytes(keyed(`/photo/L${n % STOCK}`), photo, headers),
      },
      side: taking('photo of 300 KB', send, TAKES.photo, (manifest) =>
        withBytes(keyed(`${API}/photo?kind=LOAD&manifestExternalId=${manifest}`), photo, headers),
      ),
    }),
    comparison('signature', {
      bare: {
        name: 'bare object + batch, signature',
        send: bare,
        shot: (n) => keyed(`/sign/L${n % STOCK}`, signature),
      },
      side: taking('signature', send, TAKES.signature, (manifest) =>
        keyed(`${API}/manifest/${manifest}/signature`, signature),
      ),
    }),
  ];
}

const withBytes = (shot: Shot, bytes: Uint8Array, headers: Record<string, string>): Shot => ({
  ...shot,
  bytes,
  headers: { ...shot.headers, ...headers },
});

const comparison = (title: string, { bare, side }: { bare: Side; side: Side }): Comparison => ({
  title,
  sides: [bare, side],
  targets: { [side.name]: throughput('evidence') },
});

/** A sheet of labels against a response of as many bytes. The bare Worker draws nothing, so there is no target. */
async function sheet(format: 'PDF' | 'ZPL', send: Send, bare: Send): Promise<Comparison> {
  const shot: Shot = { method: 'GET', path: `${API}/manifest/${LABELLED}/label?format=${format}` };
  const { body } = await succeed(send, shot);
  return {
    title: `${LABELS} labels as ${format}`,
    sides: [
      { name: 'bare response', send: bare, shot: () => ({ method: 'GET', path: `/image/${body.length}` }) },
      { name: `${LABELS} labels, ${format}`, send, shot: () => shot },
    ],
    targets: {},
  };
}

/** Writes to manifests. A manifest takes at most `most` of them. */
function taking(name: string, send: Send, most: number, shot: (manifest: string) => Shot): Side {
  const free: string[] = [];
  let created = 0;
  let taken = 0;
  return {
    name,
    send,
    async prepare() {
      const missing = Array.from({ length: STOCK - free.length }, () => {
        created += 1;
        return `${name.slice(0, 5).toUpperCase()}${created}`;
      });
      await inParallel(missing, (externalIdentifier) =>
        succeed(send, { method: 'POST', path: `${API}/manifest`, json: { externalIdentifier, assets: [] } }),
      );
      free.push(...missing);
    },
    shot() {
      if (taken === most) {
        free.shift();
        taken = 0;
      }
      const [manifest] = free;
      if (manifest === undefined) throw new Error(`no manifest is left for a ${name}`);
      taken += 1;
      return shot(manifest);
    },
  };
}

/** A JPEG with more image data than its size needs. The service reads the structure and decodes no pixels. */
const jpegOf = (bytes: number): Uint8Array =>
  Buffer.concat([JPEG.subarray(0, -2), Buffer.alloc(bytes - JPEG.length, 0x55), JPEG.subarray(-2)]);
