import type { Recorder } from './recorder.ts';

/** An organization is exported, suspended, erased and imported; and how the service is then. */
export async function comeAndGo(day: Recorder): Promise<void> {
  day.at('20:00');
  const body = { name: 'Acme Outlet', slug: 'acme-outlet', databaseName: 'DB' };
  const { uuid: organizationUuid } = await day.ask('createOrganization', { body });
  const params = { organizationUuid };
  await day.send('exportOrganization', 'All that there is of it', { params });
  const exported = await day.read('exportOrganization', { params });
  await day.send('suspendOrganization', 'Nobody of it may do anything', { params });
  await day.send('resumeOrganization', 'It works again', { params });
  await day.ask('suspendOrganization', { params });
  const erased = await day.send('eraseOrganization', 'For good', { params, query: { slug: 'acme-outlet' } });
  await ended(day, erased.operationId, 'It is erased');
  const query = { databaseName: 'DB' };
  const imported = await day.send('importOrganization', 'As it was', { query, raw: exported });
  await ended(day, imported.operationId, 'It is there');
  await day.send('getMetrics', 'As of now');
}

async function ended(day: Recorder, operationId: string, summary: string): Promise<void> {
  const operation = { params: { operationId } };
  await day.until('getOperatorOperation', operation, ({ finishDate }) => finishDate !== null);
  await day.send('getOperatorOperation', summary, operation);
}
