import { PAGES } from '../../../../src/web/ui/page/page.tsx';
import { newWorld, type World } from '../../../contract/world.ts';
import { newPerson, type Person } from '../../access/session/person.ts';
import { operator } from '../../client.ts';
import { bootstrap, type OperatorPages } from './operator-person.ts';

/** An organization with one of each resource, its administrator and an operator, and a path for each page of `PAGES`. */
export interface EveryPage {
  world: World;
  person: Person;
  staff: OperatorPages;
  /** By the pattern of the page. A page for guests that needs a token has none. */
  paths: Map<string, string>;
}

export async function everyPage(): Promise<EveryPage> {
  const paths = new Map<string, string>();
  const world = await newWorld();
  const { tenant } = world;
  const person = await newPerson(tenant);
  const staff = await bootstrap();
  for (const { path } of PAGES) if (!path.includes(':')) paths.set(path, path);
  const scanner = (await tenant.call('GET', '/scanner?pageSize=100')).body.content;
  const lists = [
    'manifest',
    'shipment',
    'track',
    'client',
    'gate',
    'scanner',
    'local-manager',
    'agent',
    'user',
  ];
  const asked = [...lists, 'alert-event', 'audit-log', 'authority', 'webhook'].map((list) => `/${list}`);
  for (const { uuid } of scanner) asked.push(`/scanner/${uuid}/printing-batch`);
  const texts: string[] = [];
  for (const path of asked) texts.push(JSON.stringify((await tenant.call('GET', path)).body));
  for (const below of ['', '/api-key', '/access-token']) {
    texts.push(JSON.stringify((await operator('GET', `/organization/${tenant.uuid}${below}`)).body));
  }
  for (const [, resource, uuid] of texts.join().matchAll(/"deepLink":"[^"]+\/app\/([\w-]+)\/([\w-]+)"/g)) {
    paths.set(`/app/${resource}/:uuid`, `/app/${resource}/${uuid}`);
  }
  const [webhook] = (await tenant.call('GET', '/webhook')).body.content;
  await tenant.call('POST', `/webhook/${webhook.uuid}/test`, {});
  const [delivery] = (await tenant.call('GET', `/webhook/${webhook.uuid}/delivery`)).body.content;
  paths.set('/app/webhook-delivery/:uuid', `/app/webhook-delivery/${delivery.uuid}`);
  const { markerCode } = (await tenant.call('GET', '/track')).body.content[0];
  paths.set('/app/marker-code/:code', `/app/marker-code/${markerCode}`);
  paths.set('/operator/organization/:uuid', `/operator/organization/${tenant.uuid}`);
  const [calibration] = (await person.get('/app/calibration')).text.match(
    /\/app\/calibration\/[0-9a-f-]{36}/,
  )!;
  paths.set('/app/calibration/:uuid', calibration);
  paths.set('/app/operation/:uuid', `/app/operation/${world.uuids.operation}`);
  paths.set('/app/archive/:uuid', `/app/archive/${world.uuids.archived}`);
  const { shipmentGate, shipment, record } = world.uuids;
  await tenant.call('POST', '/manifest', { externalIdentifier: 'UNMARKED', assets: ['no marker yet'] });
  const [unmarked] = (await tenant.call('GET', '/manifest/UNMARKED/asset-loading')).body;
  paths.set('/app/asset/:uuid', `/app/asset/${unmarked.recordUuid}`);
  paths.set('/app/gate/:uuid/sign/:load', `/app/gate/${shipmentGate}/sign/${shipment}`);
  paths.set('/app/gate/:uuid/label.pdf', `/app/gate/${shipmentGate}/label.pdf?record=${record}`);
  paths.set('/app/dead-letter/:uuid', `/app/dead-letter/${world.uuids.deadLetter}`);
  paths.set('/operator/dead-letter/:uuid', `/operator/dead-letter/${world.uuids.deadLetter}`);
  paths.set('/operator/operation/:uuid', `/operator/operation/${world.uuids.move}`);
  // Pages below the page of a thing.
  for (const { path } of PAGES) {
    const below = path.slice(path.lastIndexOf('/'));
    const thing = paths.get(path.slice(0, -below.length));
    if (!paths.has(path) && thing && !below.includes(':')) paths.set(path, `${thing}${below}`);
  }
  return { world, person, staff, paths };
}
