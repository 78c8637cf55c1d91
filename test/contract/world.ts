import { newGate, newTenant, operator, type Tenant } from '../workerd/client.ts';

/** How a request names the things of a world. */
export interface Names {
  organization: string;
  markerCodeStart: number;
  apiKey: string;
  accessToken: string;
  /** A user, and the authority that it has, which is VIEWER; by uuids. */
  user: string;
  authority: string;
  /** The e-mail address of the user. */
  email: string;
  /** The gate of the manifest. */
  gate: string;
  /** A gate that nothing is assigned to. */
  freeGate: string;
  /** A manifest with two assets, of which the first is coupled. */
  manifest: string;
  fieldKey: string;
  /** The track of the manifest's first asset, and its WMS id. */
  track: string;
  wmsId: string;
  /** A track that is on no manifest. */
  freeTrack: string;
  /** The code of `track`. */
  markerCode: string;
  /** A code that is allocated and coupled to nothing. */
  freeMarkerCode: string;
  /** Something that nothing is named by yet. */
  unused: string;
}

/** A freshly provisioned organization with one of everything. */
export interface World {
  tenant: Tenant;
  /** By external identifiers, where there are such. */
  names: Names;
  /** The same by uuids. */
  uuids: Names;
}

let worlds = 0;

/** Provision a world. The identifiers of two worlds differ, and need escaping in a path. */
export async function newWorld(settings: Record<string, unknown> = {}): Promise<World> {
  worlds += 1;
  const markerCodeStart = 1_000_000 * worlds;
  const tenant = await newTenant({ markerCodeStart, ...settings });
  const name = (kind: string) => `${kind}/${worlds} %é`;
  const must = async (...args: Parameters<Tenant['call']>) => {
    const answer = await tenant.call(...args);
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  };
  const credential = async (kind: 'api-key' | 'access-token', body: object): Promise<string> =>
    (await operator('POST', `/organization/${tenant.uuid}/${kind}`, body)).body.uuid;

  await newGate(tenant, name('gate'));
  await newGate(tenant, name('free-gate'));
  const gates: { uuid: string; externalIdentifier: string }[] = (await must('GET', '/gate')).content;
  const gateUuid = (wanted: string) => gates.find((gate) => gate.externalIdentifier === wanted)!.uuid;
  const manifest = await must('POST', '/manifest', {
    externalIdentifier: name('manifest'),
    gateExternalId: name('gate'),
    customFields: [{ fieldKey: 'carrier/é', fieldValue: `Carrier ${worlds}` }],
    assets: [name('pallet'), name('later')],
  });
  const track = await must('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: name('pallet') });
  const free = await must('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: name('free') });
  const allocated = await must('POST', '/marker-code/allocate?imageDelivery=URL');
  await must('POST', `/track/${track.track.uuid}/comments`, { additionalInfo: `Comment ${worlds}` });
  const email = `user-${worlds}@example.com`;
  const user = await must('POST', '/user', {
    firstName: `First ${worlds}`,
    lastName: `Last ${worlds}`,
    email,
    authority: { authorityName: 'VIEWER' },
    passwordPolicyMode: 'INVITE_LINK',
  });

  const names: Names = {
    organization: tenant.uuid,
    markerCodeStart,
    apiKey: await credential('api-key', { name: `Key ${worlds}` }),
    accessToken: await credential('access-token', { name: `Token ${worlds}`, scopes: ['CAMERA_READ'] }),
    user: user.uuid,
    authority: user.authority.uuid,
    email,
    gate: name('gate'),
    freeGate: name('free-gate'),
    manifest: name('manifest'),
    fieldKey: 'carrier/é',
    track: name('pallet'),
    wmsId: name('pallet'),
    freeTrack: name('free'),
    markerCode: String(track.markerCode),
    freeMarkerCode: String(allocated.entries[0].markerCode),
    unused: `unused-${worlds}-${crypto.randomUUID().slice(0, 8)}`,
  };
  const uuids: Names = {
    ...names,
    gate: gateUuid(names.gate),
    freeGate: gateUuid(names.freeGate),
    manifest: manifest.uuid,
    track: track.track.uuid,
    freeTrack: free.track.uuid,
  };
  return { tenant, names, uuids };
}
