import { expect } from 'vitest';
import type { Real } from './real.ts';

interface Loading {
  loadingStatus: string;
  manifest: { manifestUuid: string };
}
interface Counted {
  uuid: string;
  tracksCount: number;
  totalAssetsCount: number;
  loadedAssetsCount: number;
  manifestStatus: string;
  manifests: { manifestUuid: string }[];
}

const INVALID = ['WRONGLY_LOADED', 'UNKNOWN_LOADING'];

/** Counts the shown records and compares the result with the shown counts. */
export async function recount(real: Real): Promise<void> {
  const manifests = (await real.list('/manifest')) as unknown as Counted[];
  const assetsOf = new Map<string, Loading[]>();
  for (const { uuid } of manifests) {
    const records = (await real.get(`/manifest/${uuid}/asset-loading`)) as Loading[];
    assetsOf.set(
      uuid,
      records.filter(({ loadingStatus }) => !INVALID.includes(loadingStatus)),
    );
  }
  const cancelled = new Set(
    manifests.filter(({ manifestStatus }) => manifestStatus === 'CANCELLED').map(({ uuid }) => uuid),
  );
  for (const manifest of manifests) {
    const assets = assetsOf.get(manifest.uuid)!;
    expect(countsOf(manifest)).toEqual(counted(assets, assets));
  }
  for (const shipment of (await real.list('/shipment')) as unknown as Counted[]) {
    const members = shipment.manifests.map(({ manifestUuid }) => manifestUuid);
    const planned = members.flatMap((uuid) => assetsOf.get(uuid)!);
    const present = members.filter((uuid) => !cancelled.has(uuid)).flatMap((uuid) => assetsOf.get(uuid)!);
    expect(countsOf(shipment)).toEqual(counted(planned, present));
    const shown = (await real.get(`/shipment/${shipment.uuid}/asset-loading`)) as Loading[];
    expect(shown.filter(({ loadingStatus }) => !INVALID.includes(loadingStatus))).toEqual(planned);
  }
}

const countsOf = ({ tracksCount, totalAssetsCount, loadedAssetsCount }: Counted) => ({
  tracksCount,
  totalAssetsCount,
  loadedAssetsCount,
});

const counted = (planned: Loading[], present: Loading[]) => ({
  tracksCount: planned.length,
  totalAssetsCount: present.length,
  loadedAssetsCount: present.filter(({ loadingStatus }) => loadingStatus === 'LOADED').length,
});
