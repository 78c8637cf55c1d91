import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import type { AppEnv } from '../../../core/http/types.ts';
import { useWords } from '../../../messages/context.ts';
import { hasFeature } from '../../ui/page/menu.tsx';
import { page } from '../../ui/page/page.tsx';

/** Keys that have an effect together: pressed at the same time (`Ctrl K`), or each alone (a list). */
type Keys = readonly (readonly string[])[];

/** The page with the keys. The script of `?` shows it as a dialog (`data-sheet`). */
export function keyPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/keys',
    right: 'see',
    view: ({ session, words: { t } }) => ({
      title: t('keys.title'),
      styles: ['keys.css'],
      body: (
        <div id="keys" class="keys">
          <Section
            title={t('keys.everywhere')}
            keys={[
              [[['/']], t('keys.search')],
              [
                [
                  [t('keys.ctrl'), 'K'],
                  ['⌘', 'K'],
                ],
                t('keys.palette'),
              ],
              [[['?']], t('keys.sheet')],
            ]}
          />
          {hasFeature(session, 'SHIPMENT') && (
            <Section
              title={t('keys.day')}
              keys={[
                [[['J'], ['K']], t('keys.next')],
                [[[t('keys.home')], [t('keys.end')]], t('keys.ends')],
                [[['←'], ['→']], t('keys.time')],
                [[['↑'], ['↓']], t('keys.gate')],
                [[[t('keys.enter')]], t('keys.confirm')],
                [[['Esc']], t('keys.cancel')],
                [[['Z']], t('keys.undo')],
                [[['M']], t('keys.form')],
              ]}
            />
          )}
        </div>
      ),
    }),
  });
}

const Section: FC<{ title: string; keys: readonly (readonly [Keys, string])[] }> = ({ title, keys }) => {
  const { t } = useWords();
  return (
    <section>
      <h2>{title}</h2>
      <dl>
        {keys.map(([ways, effect]) => (
          <div>
            <dt>
              {ways.map((way, index) => (
                <>
                  {index > 0 && ` ${t('keys.or')} `}
                  {way.map((key) => (
                    <kbd>{key}</kbd>
                  ))}
                </>
              ))}
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
};
