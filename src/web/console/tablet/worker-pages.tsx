import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { attemptSucceeded, beginAttempt } from '../../../access/session/attempts.ts';
import { AFTER_ATTEMPTS } from '../../../access/session/rules.ts';
import { settingsOf } from '../../../core/env.ts';
import { text, uuid } from '../../../core/http/schema.ts';
import type { AppEnv } from '../../../core/http/types.ts';
import { type Written, write } from '../../../core/http/write.ts';
import { databasesOf } from '../../../core/lib/databases.ts';
import { sha256Hex } from '../../../core/lib/hash.ts';
import { ProblemError, refusal } from '../../../core/lib/problem.ts';
import {
  codeHashes,
  faultOfCode,
  isAskedFor,
  storedCode,
  workerName,
} from '../../../dispatch/tablet/rules.ts';
import { type ListedWorker, workersQuery } from '../../../dispatch/tablet/store.ts';
import { changeWorkerCode, createWorker, deleteWorker } from '../../../dispatch/tablet/worker-commands.ts';
import { action, type PageContext } from '../../ui/confirm/action.ts';
import { Ask } from '../../ui/confirm/confirmation.tsx';
import { Field, Form, Hidden, Input, Submit } from '../../ui/form/form.tsx';
import { Table } from '../../ui/list/rows.tsx';
import { page } from '../../ui/page/page.tsx';
import { Card } from '../../ui/parts/components.tsx';
import { refuseInWords, TranslatedError } from '../../ui/parts/language.ts';
import { Time } from '../../ui/parts/time.tsx';

/** The text of a badge, or a PIN. */
const workerSecret = text(4, 100);

/**
 * A new badge or PIN for the commands.
 * @throws 400 if it is easy to guess, or is not a PIN where tablets ask for PINs
 */
async function newCode({ c, session: { organization } }: PageContext, typed: string) {
  const message = faultOfCode(organization.gateWorkerIdentification, typed);
  if (message !== undefined) {
    throw new ProblemError(
      refusal('validationFailed', message, {
        errors: [{ field: 'workerSecret', code: 'validationFailed', message }],
      }),
    );
  }
  const keys = settingsOf(c.env).sealingKeys;
  const code = await storedCode(keys, organization.uuid, typed);
  return { code, hashes: codeHashes(keys, organization.uuid, typed) };
}

/**
 * Set a badge or PIN with the command `send`. A user who tries many values learns which ones are in use, so
 * attempts are limited per user. Values of other workers count like failed sign-ins of an account. All values
 * count like sign-in attempts from an IP address.
 * @throws 409 if another worker has the value, 429 after too many attempts
 */
async function setCode(
  { c, session, words }: PageContext,
  send: () => Promise<Written<{ isInUse: boolean }>>,
): Promise<void> {
  const databases = databasesOf(c.env);
  const keys = {
    account: sha256Hex(`codes in use ${session.user.uuid}`),
    address: sha256Hex(`codes ${session.user.uuid}`),
  };
  if (!(await beginAttempt(databases, keys, Date.now()))) {
    throw new TranslatedError(refusal('rateLimited', words.t('work.tooMany')), AFTER_ATTEMPTS);
  }
  let isInUse = false;
  try {
    ({ isInUse } = (await send()).body);
  } finally {
    if (!isInUse) await attemptSucceeded(databases, { account: keys.account });
  }
  if (isInUse) refuseInWords('workerCodeInUse', words.t('refused.workerCodeInUse'));
}

const actions = {
  create: action('changeUsers', z.object({ name: workerName, workerSecret }), async (at, _, form) => {
    const code = await newCode(at, form.workerSecret);
    await setCode(at, () => write(at.c, at.submission, createWorker, { name: form.name, ...code }));
    return { done: at.words.t('worker.made', { name: form.name }) };
  }),
  change: action('changeUsers', z.object({ worker: uuid, workerSecret }), async (at, _, form) => {
    const code = await newCode(at, form.workerSecret);
    await setCode(at, () => write(at.c, at.submission, changeWorkerCode, { uuid: form.worker, ...code }));
    return { done: at.words.t('worker.changed') };
  }),
  delete: action(
    'changeUsers',
    z.object({ worker: uuid }),
    async ({ c, words, submission }, _, form) => {
      await write(c, submission, deleteWorker, { uuid: form.worker });
      return { done: words.t('worker.deleted') };
    },
    ({ words: { t } }) => ({
      title: t('worker.deleteTitle'),
      text: <p>{t('worker.deleteText')}</p>,
      yes: t('worker.delete'),
      no: t('tablet.keep'),
      note: false,
    }),
  ),
};

/** The pages about gate workers, who sign in at tablets. */
export function workerPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/gate-worker',
    right: 'seeUsers',
    async view(at) {
      const {
        database,
        session,
        words: { t },
      } = at;
      const { workers } = await database.ask({ workers: workersQuery(database) });
      const changes = at.may('changeUsers');
      const mode = session.organization.gateWorkerIdentification;
      const without = workers.filter(({ codeKind }) => !isAskedFor(mode, codeKind));
      return {
        title: t('worker.title'),
        styles: ['settings.css'],
        body: (
          <>
            <p>
              {t('worker.asked', { mode })}{' '}
              {at.may('changeSite') && <a href="/app/settings">{t('worker.toSettings')}</a>}
            </p>
            {without.length > 0 && (
              <p class="notice warn">{t('worker.withoutCount', { mode, count: without.length })}</p>
            )}
            {changes && (
              <Card title={t('worker.new')}>
                <Form<typeof actions> action="create" label={t('worker.new')}>
                  <Field name="name" label={t('worker.name')} hint={t('worker.nameHint')} />
                  <Field
                    name="workerSecret"
                    label={t('worker.secret', { mode })}
                    type="password"
                    autocomplete="off"
                    hint={t('worker.secretHint', { mode })}
                  />
                  <Submit>{t('worker.create')}</Submit>
                </Form>
              </Card>
            )}
            <Card title={t('worker.all')}>
              <Table<ListedWorker>
                caption={t('worker.count', { count: workers.length })}
                rows={workers}
                empty={t('worker.empty')}
                columns={[
                  { label: t('worker.name'), value: ({ name }) => name },
                  { label: t('worker.created'), value: ({ createDate }) => <Time at={createDate} /> },
                  {
                    label: t('worker.since'),
                    value: (worker) =>
                      without.includes(worker) ? (
                        <span class="badge warn">{t('worker.without', { mode })}</span>
                      ) : (
                        <Time at={worker.updateDate} />
                      ),
                  },
                  ...(changes
                    ? [
                        {
                          label: t('tablet.change'),
                          acts: true as const,
                          value: (worker: ListedWorker) => (
                            <div class="actions">
                              <details class="rename">
                                <summary class="button quiet">{t('worker.newSecret')}</summary>
                                <Form<typeof actions>
                                  action="change"
                                  label={t('worker.newSecretOf', { name: worker.name })}
                                >
                                  <Hidden name="worker" value={worker.uuid} />
                                  <Input
                                    name="workerSecret"
                                    type="password"
                                    autocomplete="off"
                                    label={t('worker.secretOf', { name: worker.name })}
                                  />
                                  <Submit quiet>{t('tablet.save')}</Submit>
                                </Form>
                              </details>
                              <Ask<typeof actions>
                                action="delete"
                                values={{ worker: worker.uuid }}
                                label={t('worker.deleteOf', { name: worker.name })}
                              >
                                {t('worker.delete')}
                              </Ask>
                            </div>
                          ),
                        },
                      ]
                    : []),
                ]}
              />
            </Card>
          </>
        ),
      };
    },
    actions,
  });
}
