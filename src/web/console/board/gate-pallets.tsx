import type { FC } from 'hono/jsx';
import { useWords } from '../../../messages/context.ts';
import { queryLimits } from '../../ui/form/limits.ts';
import { Icon, type IconName } from '../../ui/parts/icons.tsx';
import { type NoteAsked, NoteForms } from './gate-note.tsx';
import { PalletList } from './gate-pallet-rows.tsx';
import { GATE_LIMITS, type GatePage } from './gate-store.ts';
import { upTo } from './parts.tsx';
import { isReady, type Rights, sumOf } from './rules.ts';

/** Pallets to load as large rows, and the last loaded ones; or the result of a search. */
export const GateLists: FC<{ page: GatePage; rights: Rights; q: string | null; noted: NoteAsked }> = ({
  page,
  rights,
  q,
  noted,
}) => {
  const { t, number } = useWords();
  if (page.gate.active.length === 0) return null;
  const { shown, more } = upTo(page.open, GATE_LIMITS.open);
  const { loaded, missing } = sumOf(page.gate);
  return (
    <section class="gr" aria-label={t('gate.pallets')}>
      {rights.mark && <NoteForms page={page} asked={noted} />}
      <PalletSearch page={page} q={q} />
      {q !== null ? (
        <Found page={page} q={q} rights={rights} />
      ) : (
        <>
          <fieldset class="seg">
            <legend class="hidden">{t('gate.whichPallets')}</legend>
            <label>
              <input type="radio" name="list" value="open" checked /> {t('gate.toLoad')} {number(missing)}
            </label>
            <label>
              <input type="radio" name="list" value="loaded" /> {t('gate.loaded')} {number(loaded)}
            </label>
          </fieldset>
          <div class="of-open">
            {page.gate.active.every(isReady) ? (
              <BeforeLeaving page={page} />
            ) : (
              shown.length === 0 && <p class="hint">{t('gate.everything')}</p>
            )}
            <PalletList id="open" label={t('gate.toLoad')} pallets={shown} rights={rights} />
            {more && <p class="hint">{t('gate.firstFind', { count: GATE_LIMITS.open })}</p>}
          </div>
          <div class="of-loaded">
            {page.loaded.length === 0 && <p class="hint">{t('gate.nothingLoaded')}</p>}
            <PalletList id="loaded" label={t('gate.loadedLast')} pallets={page.loaded} rights={rights} />
            {loaded > page.loaded.length && (
              <p class="hint">{t('gate.lastFind', { count: page.loaded.length })}</p>
            )}
          </div>
        </>
      )}
    </section>
  );
};

/** Pallets to check before a truck leaves. */
const BeforeLeaving: FC<{ page: GatePage }> = ({ page: { gate } }) => {
  const { t } = useWords();
  const { loaded, total, missing } = sumOf(gate);
  const wrong = gate.wrong.length;
  const vehicles = gate.active.flatMap(({ vehicle }) => vehicle ?? []);
  const seals = gate.active.flatMap(({ seal }) => seal ?? []);
  const checks: [label: string, value: string | number, icon: IconName][] = [
    [t('gate.loaded'), t('page.loadedOf', { loaded, total }), 'check'],
    [t('close.missing'), missing, 'check'],
    [t('close.wrong'), wrong, wrong === 0 ? 'check' : 'stop'],
  ];
  if (vehicles.length > 0) checks.push([t('page.vehicle'), vehicles.join(', '), 'truck']);
  if (seals.length > 0) checks.push([t('page.seal'), seals.join(', '), 'check']);
  return (
    <section class="leaving" aria-labelledby="leaving">
      <h2 id="leaving">{t('gate.beforeLeaving')}</h2>
      <dl>
        {checks.map(([label, value, icon]) => (
          <div>
            <dt>
              <Icon name={icon} /> {label}
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

/** A search for a pallet to mark, in the load that is in progress. */
const PalletSearch: FC<{ page: GatePage; q: string | null }> = ({ page, q }) => {
  const { t } = useWords();
  const action = `/app/gate/${page.gate.uuid}`;
  return (
    <form method="get" class="lookup" action={action}>
      <label class="hidden" for="q">
        {t('gate.palletOrMarker')}
      </label>
      <input
        id="q"
        name="q"
        type="search"
        value={q ?? ''}
        maxlength={queryLimits(action, 'q').maxlength}
        autocomplete="off"
        placeholder={t('gate.findPallet')}
      />
      <button type="submit" class="button quiet">
        {t('gate.find')}
      </button>
    </form>
  );
};

const Found: FC<{ page: GatePage; q: string; rights: Rights }> = ({ page, q, rights }) => {
  const { shown, more } = upTo(page.found ?? [], GATE_LIMITS.found);
  const { t } = useWords();
  const count = shown.length;
  return (
    <div id="find">
      <p role="status" class="hint">
        {count === 0
          ? t('gate.notFound', { q })
          : `${t(more ? 'gate.foundMore' : 'gate.foundCount', { count })} `}
        <a class="button quiet" href={`/app/gate/${page.gate.uuid}`}>
          {t('gate.showAll')}
        </a>
      </p>
      <PalletList id="found" label={t('gate.found')} pallets={shown} rights={rights} q={q} />
    </div>
  );
};
