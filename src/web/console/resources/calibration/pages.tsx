import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { AppEnv } from '../../../../core/http/types.ts';
import { write } from '../../../../core/http/write.ts';
import { deleteCalibration } from '../../../../dispatch/calibration/commands.ts';
import { calibrationList } from '../../../../dispatch/calibration/list.ts';
import { discardObjects } from '../../../../dispatch/calibration/objects.ts';
import { CALIBRATION_TYPES } from '../../../../dispatch/calibration/rules.ts';
import { calibrationView, type StoredCalibration } from '../../../../dispatch/calibration/store.ts';
import { localeOf } from '../../../../messages/languages.ts';
import type { Words } from '../../../../messages/words.ts';
import { action, type PageContext } from '../../../ui/confirm/action.ts';
import { confirmDeletion, Deletion } from '../../../ui/confirm/deletion.tsx';
import { listing } from '../../../ui/list/listing.tsx';
import { instant } from '../../../ui/list/rows.tsx';
import { type ByUuid, ResourceLink, requireRow, resourcePage, rowQuery } from '../../../ui/page/resource.tsx';
import { wordsAmong } from '../../../ui/parts/codes.ts';
import { Card, Facts } from '../../../ui/parts/components.tsx';
import { Time } from '../../../ui/parts/time.tsx';

const kilobytes = ({ language }: Words, bytes: number): string =>
  new Intl.NumberFormat(localeOf(language), { style: 'unit', unit: 'kilobyte' }).format(
    Math.ceil(bytes / 1_000),
  );

const kindIn = ({ t }: Words, type: string): string =>
  wordsAmong(CALIBRATION_TYPES, type, (known) => t(`calibrations.${known}`));

const actions = {
  delete: action(
    'changeOffice',
    z.object({}),
    async (at, { uuid }: ByUuid) => {
      const { hardwareId, type } = await readFile(at, uuid);
      const conditions = { ifMatch: null, ifNoneMatch: null };
      const { body } = await write(at.c, at.submission, deleteCalibration, {
        hardwareId,
        type,
        conditions,
      });
      await discardObjects(at.c, [body.replacedKey]);
      return { done: at.words.t('calibrations.deleted'), to: '/app/calibration' };
    },
    confirmDeletion('file', ({ t }) => t('calibrations.deletion')),
  ),
};

/** The pages about calibration files. They show the records. Only cameras read the content. */
export function calibrationPages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/calibration',
    title: ({ t }) => t('calibrations.title'),
    right: 'seeOffice',
    list: calibrationList,
    search: ({ t }) => t('calibrations.search'),
    filters: [
      {
        name: 'calibrationType',
        label: ({ t }) => t('made.kind'),
        options: CALIBRATION_TYPES,
        say: kindIn,
      },
    ],
    columns: ({ words }) => [
      {
        label: words.t('calibrations.camera'),
        sort: 'hardwareId',
        value: ({ uuid, hardwareId }) => (
          <ResourceLink resource="calibration" uuid={uuid}>
            {hardwareId}
          </ResourceLink>
        ),
      },
      { label: words.t('made.kind'), value: ({ type }) => kindIn(words, type) },
      {
        label: words.t('calibrations.size'),
        value: ({ sizeBytes }) => kilobytes(words, sizeBytes),
        number: true,
      },
      {
        label: words.t('calibrations.uploaded'),
        sort: 'updateDate',
        plain: ({ updateDate }) => instant(updateDate),
      },
    ],
    empty: ({ t }) => t('calibrations.empty'),
    first: ({ t }) => t('calibrations.noneYet'),
  });

  resourcePage(app, {
    path: '/app/calibration/:uuid',
    right: 'seeOffice',
    async view(at, { uuid }) {
      const { words } = at;
      const { t } = words;
      const file = await readFile(at, uuid);
      return {
        title: words.labelled(file.hardwareId, kindIn(words, file.type)),
        body: (
          <Card title={t('calibrations.one')}>
            <Facts
              facts={[
                [t('calibrations.camera'), file.hardwareId],
                [t('made.kind'), kindIn(words, file.type)],
                [t('calibrations.size'), kilobytes(words, file.sizeBytes)],
                ['SHA-256', <code>{file.sha256}</code>],
                [t('calibrations.first'), <Time at={file.createDate} />],
                [t('calibrations.last'), <Time at={file.updateDate} />],
              ]}
            />
            {at.may('changeOffice') && <Deletion<typeof actions> what="file" />}
          </Card>
        ),
      };
    },
    actions,
  });
}

async function readFile({ database }: PageContext, uuid: string): Promise<StoredCalibration> {
  const rows = await database.all(rowQuery(database, 'calibration', calibrationView, uuid));
  return requireRow(rows, 'calibrationNotFound', uuid);
}
