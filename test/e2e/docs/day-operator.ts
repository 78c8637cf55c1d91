import type { Recorder } from './recorder.ts';

/** Each operator has a name and only the necessary scopes. */
export async function operators(day: Recorder): Promise<void> {
  const body = { name: 'Night shift', scopes: ['READ', 'OPERATE'] };
  const { uuid } = await day.send('createOperator', 'An operator on call', { body });
  await day.send('listOperators', 'All operators');
  await day.send('rotateOperator', 'A new secret', { params: { uuid }, body: { overlapSeconds: 3_600 } });
  await day.send('revokeOperator', 'No longer on call', { params: { uuid } });
}

/** An organization is exported, suspended, erased and imported. Then the state of the service is read. */
export async function comeAndGo(day: Recorder): Promise<void> {
  day.at('20:00');
  const body = { name: 'Acme Outlet', slug: 'acme-outlet', databaseName: 'DB' };
  const { uuid: organizationUuid } = await day.send('createOrganization', 'A temporary organization', {
    body,
  });
  const params = { organizationUuid };
  await day.send('exportOrganization', 'The whole organization', { params });
  const exported = await day.read('exportOrganization', { params });
  await day.send('suspendOrganization', 'All access is refused', { params });
  await day.send('resumeOrganization', 'All access works again', { params });
  await day.send('suspendOrganization', 'Before it is erased', { params });
  const erased = await day.send('eraseOrganization', 'Erased permanently', {
    params,
    query: { slug: 'acme-outlet' },
  });
  await ended(day, erased.operationId, 'A finished erasure');
  const query = { databaseName: 'DB' };
  const imported = await day.send('importOrganization', 'The exported organization', {
    query,
    raw: exported,
  });
  await ended(day, imported.operationId, 'A finished import');
  await day.send('getMetrics', 'Current metrics');
}

async function ended(day: Recorder, operationId: string, summary: string): Promise<void> {
  const operation = { params: { operationId } };
  await day.until('getOperatorOperation', operation, ({ finishDate }) => finishDate !== null);
  await day.send('getOperatorOperation', summary, operation);
}
