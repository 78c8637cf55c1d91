import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { deleteCalibration } from '../../../calibration/commands.ts';
import { calibrationList } from '../../../calibration/list.ts';
import { discardObjects } from '../../../calibration/objects.ts';
import { CALIBRATION_TYPES } from '../../../calibration/rules.ts';
import { calibrationView, type StoredCalibration } from '../../../calibration/store.ts';
import type { AppEnv } from '../../../http/types.ts';
import { write } from '../../../http/write.ts';
import { Card, Facts, words } from '../../kit/components.tsx';
import {
  askToDelete,
  type ByUuid,
  byUuid,
  Deletion,
  found,
  History,
  rowQuery,
  To,
} from '../../kit/detail.tsx';
import { listing } from '../../kit/listing.tsx';
import { type At, action, page } from '../../kit/page.tsx';
import { instant } from '../../kit/rows.tsx';
import { Time } from '../../kit/time.tsx';

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1_000).toLocaleString('en')} kB`;

/** Calibration files of cameras: what is known of them; their content is for cameras. */
export function calibrationPages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/calibration',
    title: 'Calibration files',
    right: 'seeOffice',
    list: calibrationList,
    search: 'hardware ids',
    filters: [{ name: 'calibrationType', label: 'Kind', options: CALIBRATION_TYPES }],
    columns: () => [
      {
        label: 'Camera',
        sort: 'hardwareId',
        value: ({ uuid, hardwareId }) => (
          <To resource="calibration" uuid={uuid}>
            {hardwareId}
          </To>
        ),
      },
      { label: 'Kind', value: ({ type }) => words(type) },
      { label: 'Size', value: ({ sizeBytes }) => kilobytes(sizeBytes), number: true },
      { label: 'Uploaded', sort: 'updateDate', plain: ({ updateDate }) => instant(updateDate) },
    ],
    empty: 'No calibration file is like this.',
  });

  page(app, {
    path: '/app/calibration/:uuid',
    right: 'seeOffice',
    params: byUuid,
    async view(at, { uuid }) {
      const file = await readFile(at, uuid);
      return {
        title: `${file.hardwareId}: ${words(file.type)}`,
        body: (
          <>
            <Card title="Calibration file">
              <Facts
                facts={[
                  ['Camera', file.hardwareId],
                  ['Kind', words(file.type)],
                  ['Size', kilobytes(file.sizeBytes)],
                  ['SHA-256', <code>{file.sha256}</code>],
                  ['First uploaded', <Time at={file.createDate} />],
                  ['Last uploaded', <Time at={file.updateDate} />],
                ]}
              />
              {at.may('changeOffice') && <Deletion what="file" />}
            </Card>
            <History at={at} uuid={uuid} />
          </>
        ),
      };
    },
    actions: {
      delete: action(
        'changeOffice',
        z.object({}),
        async (at, { uuid }: ByUuid) => {
          const { hardwareId, type } = await readFile(at, uuid);
          const conditions = { ifMatch: null, ifNoneMatch: null };
          const { body } = await write(at.c, deleteCalibration, { hardwareId, type, conditions });
          await discardObjects(at.c, [body.replacedKey]);
          return { done: 'The file is deleted.', to: '/app/calibration' };
        },
        askToDelete('file', 'The 1 camera that it is of has no calibration of this kind then.'),
      ),
    },
  });
}

async function readFile({ database }: At, uuid: string): Promise<StoredCalibration> {
  const rows = await database.all(rowQuery(database, 'calibration', calibrationView, uuid));
  return found(rows, 'calibrationNotFound', 'calibration file');
}
