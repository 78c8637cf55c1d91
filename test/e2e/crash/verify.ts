import { Caller, type Run } from './caller.ts';
import { type Random, shuffle } from './random.ts';
import type { Block, Contest, Manifest, Track, Warehouse } from './warehouse.ts';

const PARALLEL = 8;
const PAGE_SIZE = 100;
/** How many answers are replayed at the end. Writes whose outcome was unknown at first come on top. */
const REPLAYED_MAXIMUM = 400;

/** Compares the stored data with all acknowledged writes. Differences become faults. */
export async function verify(
  run: Run,
  warehouses: Warehouse[],
  contest: Contest,
  firstCode: number,
  random: Random,
): Promise<void> {
  const blocks = warehouses.flatMap((warehouse) => warehouse.blocks);
  const tracks = warehouses.flatMap((warehouse) => warehouse.tracks);
  const manifests = warehouses.flatMap((warehouse) => warehouse.manifests);
  for (const [name, uuids] of contest.winners) {
    if (uuids.length !== 1) run.faults.push(`${name} was got by ${uuids.length} callers`);
  }
  const nextCode = checkRun(run, blocks, firstCode);
  await checkMarkers(run, blocks, tracks, [firstCode - 1, nextCode]);
  await checkTracks(run, tracks);
  await checkManifests(run, manifests);
  await checkReplays(run, random);
}

/** All blocks together must be one sequence of codes without gaps and repeats. Returns the next code. */
function checkRun(run: Run, blocks: Block[], firstCode: number): number {
  let next = firstCode;
  for (const { first, last } of blocks.toSorted((a, b) => a.first - b.first || a.last - b.last)) {
    if (first > next) run.faults.push(`no answer contained the codes ${next} to ${first - 1}`);
    if (first < next) run.faults.push(`the codes ${first} to ${Math.min(last, next - 1)} were given twice`);
    next = Math.max(next, last + 1);
  }
  return next;
}

/**
 * The first and last code of each block must be allocated and coupled as acknowledged. Codes outside must not exist.
 */
async function checkMarkers(run: Run, blocks: Block[], tracks: Track[], outside: number[]): Promise<void> {
  const trackOf = new Map(tracks.map((track) => [track.markerCode, track.uuid]));
  const edges = new Set(blocks.flatMap(({ first, last }) => [first, last]));
  await eachOf([...edges], async (code) => {
    const { status, json } = await run.tenant.get(`/marker-code/${code}`);
    const uuid = trackOf.get(code) ?? null;
    if (status !== 200) run.faults.push(`the acknowledged marker ${code} is answered ${status}`);
    else if ((json.track?.uuid ?? null) !== uuid) {
      run.faults.push(`marker ${code} holds track ${json.track?.uuid}, acknowledged was ${uuid}`);
    }
  });
  await eachOf(outside, async (code) => {
    const { status } = await run.tenant.get(`/marker-code/${code}`);
    if (status !== 404) run.faults.push(`marker ${code} was in no answer, but reading it answers ${status}`);
  });
}

async function checkTracks(run: Run, tracks: Track[]): Promise<void> {
  const held = await walk(run, '/track', 'markerCode');
  const tell = (items: { uuid: string; wmsId: string; markerCode: number }[], comments: number[]) =>
    items.map(({ uuid, wmsId, markerCode }, index) => `${uuid} ${wmsId} ${markerCode} ${comments[index]}`);
  compare(
    run,
    'track',
    tell(
      held,
      held.map((track) => track.commentsCount),
    ),
    tell(
      tracks,
      tracks.map((track) => track.comments),
    ),
  );
}

async function checkManifests(run: Run, manifests: Manifest[]): Promise<void> {
  const held = await walk(run, '/manifest', 'externalIdentifier');
  const tell = ({ uuid, externalIdentifier, manifestStatus }: Manifest, assets: number) =>
    `${uuid} ${externalIdentifier} ${manifestStatus} ${assets}`;
  compare(
    run,
    'manifest',
    held.map((manifest) => tell(manifest, manifest.totalAssetsCount)),
    manifests.map((manifest) => tell(manifest, manifest.assets.length)),
  );
  await eachOf(manifests, async ({ externalIdentifier, assets }) => {
    const { json } = await run.tenant.get(`/manifest/${externalIdentifier}/asset`);
    const identifiers: string[] = json.map((asset: { trackIdentifier: string }) => asset.trackIdentifier);
    compare(run, `asset of ${externalIdentifier}`, identifiers, assets);
  });
}

/** Repeats all writes that once had an unknown outcome, and a sample of the others. None may have a second effect. */
async function checkReplays(run: Run, random: Random): Promise<void> {
  const late = run.settled.filter(({ unknown }) => unknown > 0);
  const others = shuffle(
    random,
    run.settled.filter(({ unknown }) => unknown === 0),
  );
  const auditor = new Caller(run, 'auditor');
  await eachOf([...late, ...others.slice(0, REPLAYED_MAXIMUM)], (settled) => auditor.replay(settled));
}

/** Reads all rows of a list, page by page. No caller writes any more. */
// biome-ignore lint/suspicious/noExplicitAny: rows of every resource
async function walk(run: Run, path: string, sortBy: string): Promise<any[]> {
  const rows = [];
  for (let pageNumber = 1; ; pageNumber += 1) {
    const query = `pageSize=${PAGE_SIZE}&pageNumber=${pageNumber}&sort.sortBy=${sortBy}`;
    const { json } = await run.tenant.get(`${path}?${query}`);
    rows.push(...json.content);
    if (json.content.length < PAGE_SIZE) return rows;
  }
}

/** Compares two sets. Neither may contain anything twice. */
function compare(run: Run, what: string, held: string[], acknowledged: string[]): void {
  const [heldOnes, acknowledgedOnes] = [new Set(held), new Set(acknowledged)];
  const missing = acknowledged.filter((item) => !heldOnes.has(item));
  const unknown = held.filter((item) => !acknowledgedOnes.has(item));
  for (const item of missing) run.faults.push(`${what} acknowledged but not there: ${item}`);
  for (const item of unknown) run.faults.push(`${what} there but not acknowledged: ${item}`);
  if (heldOnes.size < held.length) run.faults.push(`a ${what} is there twice`);
}

/** Handles all items, a few at a time. */
async function eachOf<T>(items: T[], act: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const work = async () => {
    for (const item of rest) await act(item);
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
}
