import type { Hono } from 'hono';
import type { AppEnv } from '../../../core/http/types.ts';
import { findOperation } from '../../../storage/transfer/operator-requests.ts';
import { page } from '../../ui/page/page.tsx';
import { byUuid } from '../../ui/page/resource.tsx';
import { Badge, Card, Facts, OptionalText, statusWords } from '../../ui/parts/components.tsx';
import { Time } from '../../ui/parts/time.tsx';

/** The pages about operations that operators have started. */
export function operatorOperationPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/operator/operation/:uuid',
    right: 'operator:READ',
    params: byUuid,
    async view({ c }, { uuid }) {
      const { operationType, status, results, ...dates } = await findOperation(c, uuid);
      const isUnderWay = dates.finishDate === null;
      return {
        title: statusWords(operationType),
        aside: <Badge status={status} />,
        body: (
          <Card title="Operation">
            <Facts
              facts={[
                [
                  'Organization',
                  results.map(({ identifier }) => (
                    <a href={`/operator/organization/${identifier}`}>
                      <code>{identifier}</code>
                    </a>
                  )),
                ],
                ['Requested', <Time at={dates.createDate} />],
                ['Last step', <Time at={dates.updateDate} />],
                ['Finished', <Time at={dates.finishDate} />],
                ['Error', <OptionalText of={results[0]?.error?.message} />],
              ]}
            />
            {isUnderWay && (
              <p>
                <a class="button" href={`/operator/operation/${uuid}`}>
                  Reload
                </a>
              </p>
            )}
          </Card>
        ),
      };
    },
  });
}
