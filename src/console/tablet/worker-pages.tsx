import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import { settingsOf } from '../../env.ts';
import { nameText, text, uuid } from '../../http/schema.ts';
import type { AppEnv } from '../../http/types.ts';
import { write } from '../../http/write.ts';
import { ProblemError, refusal } from '../../lib/problem.ts';
import { codeHashes, PIN_PATTERN } from '../../tablet/rules.ts';
import { type ListedWorker, workersQuery } from '../../tablet/store.ts';
import { changeWorkerCode, createWorker, deleteWorker } from '../../tablet/worker-commands.ts';
import { Card } from '../kit/components.tsx';
import { Field, Form, Hidden, Submit } from '../kit/form.tsx';
import { type At, action, page } from '../kit/page.tsx';
import { Ask } from '../kit/question.tsx';
import { Table } from '../kit/rows.tsx';
import { Time } from '../kit/time.tsx';

/** Of a badge; of a PIN only where tablets ask for one. */
const workerSecret = text(4, 100);

/** What is stored of a badge or PIN. @throws 400 for one that is no PIN where tablets ask for those. */
function hashesOf({ c, session: { organization } }: At, code: string): string[] {
  if (organization.gateWorkerIdentification === 'PIN' && !PIN_PATTERN.test(code.trim())) {
    const message = 'A PIN has 6 to 12 digits.';
    throw new ProblemError(
      refusal('validationFailed', message, {
        errors: [{ field: 'workerSecret', code: 'validationFailed', message }],
      }),
    );
  }
  return codeHashes(settingsOf(c.env).sealingKeys, organization.uuid, code);
}

const MODES = {
  NONE: 'Tablets of gates ask nobody who works there. The operator of the service can change that.',
  BADGE: 'Tablets of gates ask for a badge: any text that a scanner reads, in any case of letters.',
  PIN: 'Tablets of gates ask for a PIN of 6 to 12 digits.',
} as const;

/** The people who say at tablets that they work there. */
export function workerPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/gate-worker',
    right: 'seeUsers',
    async view(at) {
      const { database, session } = at;
      const { workers } = await database.ask({ workers: workersQuery(database) });
      const changes = at.may('changeUsers');
      return {
        title: 'Workers at gates',
        styles: ['tablets.css'],
        body: (
          <>
            <p>{MODES[session.organization.gateWorkerIdentification]}</p>
            {changes && (
              <Card title="New worker">
                <Form action="create" label="New worker">
                  <Field
                    name="name"
                    label="Name"
                    maxlength={100}
                    hint="As the audit log names who did something, for good: a number of the staff does, too"
                    required
                  />
                  <Field
                    name="workerSecret"
                    label="Badge or PIN"
                    type="password"
                    autocomplete="off"
                    maxlength={100}
                    required
                  />
                  <Submit>Create</Submit>
                </Form>
              </Card>
            )}
            <Card title="Workers">
              <Table<ListedWorker>
                caption={`${workers.length} in all`}
                rows={workers}
                empty="No worker is known."
                columns={[
                  { label: 'Name', value: ({ name }) => name },
                  { label: 'Created', value: ({ createDate }) => <Time at={createDate} /> },
                  { label: 'Badge or PIN since', value: ({ updateDate }) => <Time at={updateDate} /> },
                  ...(changes
                    ? [
                        {
                          label: 'Change',
                          value: (worker: ListedWorker) => (
                            <div class="actions">
                              <details class="rename">
                                <summary class="button quiet">New badge or PIN</summary>
                                <Form action="change" label={`New badge or PIN of ${worker.name}`}>
                                  <Hidden name="worker" value={worker.uuid} />
                                  <input
                                    name="workerSecret"
                                    type="password"
                                    maxlength={100}
                                    autocomplete="off"
                                    aria-label={`Badge or PIN of ${worker.name}`}
                                    required
                                  />
                                  <Submit quiet>Save</Submit>
                                </Form>
                              </details>
                              <Ask
                                action="delete"
                                values={{ worker: worker.uuid }}
                                label={`Delete ${worker.name}`}
                              >
                                Delete
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
    actions: {
      create: action('changeUsers', z.object({ name: nameText(100), workerSecret }), async (at, _, form) => {
        await write(at.c, createWorker, { name: form.name, hashes: hashesOf(at, form.workerSecret) });
        return { done: `${form.name} is known at tablets now.` };
      }),
      change: action('changeUsers', z.object({ worker: uuid, workerSecret }), async (at, _, form) => {
        await write(at.c, changeWorkerCode, { uuid: form.worker, hashes: hashesOf(at, form.workerSecret) });
        return { done: 'The worker has another badge or PIN.' };
      }),
      delete: action(
        'changeUsers',
        z.object({ worker: uuid }),
        async ({ c }, _, form) => {
          await write(c, deleteWorker, { uuid: form.worker });
          return { done: 'The worker is deleted.' };
        },
        () => ({
          title: 'Delete this worker?',
          text: <p>The badge or PIN is not known any more, also where the worker is at work now.</p>,
          yes: 'Delete',
          no: 'Keep it',
          note: false,
        }),
      ),
    },
  });
}
