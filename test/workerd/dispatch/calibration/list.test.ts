import { describe, expect, it } from 'vitest';
import { type Answer, API, call, newTenant, type Tenant } from '../../client.ts';
import { bytesOf, download, pathOf, remove, tagOf, tokenOf, upload } from './files.ts';

const list = (tenant: Tenant, query = '', token = tenant.token): Promise<Answer> =>
  call('GET', `${API}/camera?${query}`, { headers: { 'X-Auth-Token': token } });

/** Files of the list, as `hardwareId/calibrationType`. */
async function listed(tenant: Tenant, query = ''): Promise<string> {
  const { status, body } = await list(tenant, query);
  expect([status, body.totalElements]).toEqual([200, body.content.length]);
  const files: { hardwareId: string; calibrationType: string }[] = body.content;
  return files.map(({ hardwareId, calibrationType }) => `${hardwareId}/${calibrationType}`).join(' ');
}

describe('the list of calibration files', () => {
  it('the calibration list shows camera, type, size and tag, never the content', async () => {
    const tenant = await newTenant();
    const bytes = bytesOf('{"secret": "focal-length-4711"}');
    const uploaded = await upload(tenant, bytes, { path: pathOf('cam:1', 'HAND_EYE') });
    const { body } = await list(tenant);
    const { uuid, createDate, updateDate, deepLink } = uploaded.body;
    expect(body.content).toEqual([
      {
        ...{ uuid, createDate, updateDate, deepLink },
        hardwareId: 'cam:1',
        calibrationType: 'HAND_EYE',
        sizeBytes: bytes.length,
        eTag: tagOf(bytes),
      },
    ]);
    expect(uploaded.body).toMatchObject(body.content[0]);
    const file = await download(tenant, { path: pathOf('cam:1', 'HAND_EYE') });
    expect(file.headers.get('ETag')).toBe(body.content[0].eTag);
  });

  it('the calibration list sorts by camera and filters by camera, type and part of a name', async () => {
    const tenant = await newTenant();
    for (const [camera, type] of [
      ['cam-2', 'COLOR'],
      ['CAM-1', 'COLOR'],
      ['cam-1', 'EXTRINSIC'],
      ['dock', 'INTRINSIC'],
    ] as const) {
      await upload(tenant, bytesOf('[]'), { path: pathOf(camera, type) });
    }
    expect(await listed(tenant)).toBe('CAM-1/COLOR cam-1/EXTRINSIC cam-2/COLOR dock/INTRINSIC');
    expect(await listed(tenant, 'hardwareId=cam-1')).toBe('cam-1/EXTRINSIC');
    expect(await listed(tenant, 'hardwareId=cam-1,dock')).toBe('cam-1/EXTRINSIC dock/INTRINSIC');
    expect(await listed(tenant, 'calibrationType=COLOR')).toBe('CAM-1/COLOR cam-2/COLOR');
    expect(await listed(tenant, 'calibrationType=COLOR&calibrationType=INTRINSIC&q=D')).toBe(
      'dock/INTRINSIC',
    );
    expect(await listed(tenant, 'q=Am-1')).toBe('CAM-1/COLOR cam-1/EXTRINSIC');
    await remove(tenant, { path: pathOf('dock') });
    expect(await listed(tenant, 'hardwareId=dock')).toBe('');
    const { status, body } = await list(tenant, 'calibrationType=NOPE');
    expect([status, body.allowedValues]).toEqual([
      400,
      ['INTRINSIC', 'EXTRINSIC', 'DISTORTION', 'HAND_EYE', 'COLOR'],
    ]);
  });

  it('the calibration list needs CAMERA_READ and refuses an API key alone', async () => {
    const tenant = await newTenant();
    expect((await list(tenant, '', await tokenOf(tenant, 'CAMERA_READ'))).status).toBe(200);
    expect((await list(tenant, '', await tokenOf(tenant, 'CAMERA_WRITE'))).status).toBe(403);
    expect((await tenant.call('GET', '/camera')).status).toBe(401);
  });
});
