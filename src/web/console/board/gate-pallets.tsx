import type { FC } from 'hono/jsx';
import { listed } from '../../../core/lib/text.ts';
import { useWords } from '../../../messages/context.ts';
import { Ask } from '../../ui/confirm/confirmation.tsx';
import { ActionButton } from '../../ui/form/form.tsx';
import { queryLimits } from '../../ui/form/limits.ts';
import { lastFour, PalletId } from '../../ui/parts/badges.tsx';
import { Badge } from '../../ui/parts/components.tsx';
import { Icon, type IconName } from '../../ui/parts/icons.tsx';
import { usePageState } from '../../ui/parts/view.ts';
import type { GateActions } from './actions.ts';
import { At, upTo } from './board-parts.tsx';
import { AuditLink, Refused, recordLoadValue } from './forms.tsx';
import { type NoteAsked, NoteForms, NoteLinks } from './gate-note.tsx';
import { GATE_LIMITS, type GatePage } from './gate-store.ts';
import { detailsIn } from './outcome-words.ts';
import { type BoardPallet, isReady, type Rights, sumOf } from './rules.ts';

interface ListProps {
  id: string;
  label: string;
  pallets: readonly BoardPallet[];
  rights: Rights;
  q?: string;
}

/** The list exists even if it is empty: a row that was just marked stays in it for a while. */
const PalletList: FC<ListProps> = ({ id, label, pallets, rights, q }) => (
  <ul class="rows" id={id} aria-label={label}>
    {pallets.map((pallet) => (
      <li
        id={`${id}-${pallet.recordUuid}`}
        data-record={pallet.recordUuid}
        data-status={pallet.loadingStatus}
        data-names={JSON.stringify([pallet.wmsId, String(pallet.track?.markerCode ?? '')])}
      >
        <b class="d4">{lastFour(pallet.wmsId)}</b>
        <PalletName pallet={pallet} isInLoaded={id === 'loaded'} />
        <PalletActions id={id} pallet={pallet} rights={rights} {...(q === undefined ? {} : { q })} />
        <Refused about={pallet.recordUuid} />
      </li>
    ))}
  </ul>
);

/** The badge of a pallet. */
type Status =
  | BoardPallet['loadingStatus']
  | 'DAMAGED'
  | 'FLAGGED'
  | 'NOT_ACTIVE'
  | 'SCHEDULED_FOR_RETIREMENT';

/** The id of a pallet and its badges, and in a second line the time, the manifest and the marker. Notes follow. */
const PalletName: FC<{ pallet: BoardPallet; isInLoaded: boolean }> = ({
  pallet: { wmsId, manifestExternalId, loadingStatus, date, track },
  isInLoaded,
}) => {
  const words = useWords();
  const { t } = words;
  const badge = (status: Status) => <Badge status={status} label={t(`status.${status}`)} />;
  return (
    <p class="m">
      <span>
        {loadingStatus !== 'NOT_LOADED' && !isInLoaded && badge(loadingStatus)}{' '}
        {track?.flagged === 1 && badge(track.damaged === 1 ? 'DAMAGED' : 'FLAGGED')}{' '}
        {track?.retirement === 'RETIRED' && badge('NOT_ACTIVE')}
        {track?.retirement === 'SCHEDULED' && badge('SCHEDULED_FOR_RETIREMENT')}
        <PalletId id={wmsId} />
      </span>
      <span class="hint">
        {date !== null && (
          <>
            <At date={date} />
            {', '}
          </>
        )}
        {listed(manifestExternalId, track && String(track.markerCode))}
      </span>
      {[track?.reason && detailsIn(words, track.reason), track?.comment].map(
        (note) => note && <span class="said">{note}</span>,
      )}
    </p>
  );
};

const PalletActions: FC<Omit<ListProps, 'pallets' | 'label'> & { pallet: BoardPallet }> = ({
  id,
  pallet,
  rights,
  q,
}) => {
  const { loadingStatus, track, wmsId } = pallet;
  const { path } = usePageState();
  const { t, labelled } = useWords();
  const statusButton = (status: 'LOADED' | 'NOT_LOADED' | 'UNLOADED') => (
    <ActionButton<GateActions>
      action="mark"
      values={{
        thing: recordLoadValue(pallet),
        record: pallet.recordUuid,
        status,
        ...(q === undefined ? {} : { q }),
      }}
      quiet
      label={labelled(t(`mark.${status}`), wmsId)}
    >
      {t(`mark.${status}`)}
    </ActionButton>
  );
  const loaded = loadingStatus === 'LOADED';
  const retires = rights.operate && rights.desk && track !== null && track.retirement === 'NONE';
  const audits = rights.audit && track !== null;
  if (!rights.mark && !audits) return null;
  return (
    <div class="actions">
      <details class="ask" id={`${id}-more-${pallet.recordUuid}`}>
        <summary class="button quiet" aria-label={t('gate.moreAbout', { pallet: wmsId })}>
          <Icon name="list" />
        </summary>
        <div class="ask-panel">
          {rights.mark && loaded && statusButton('UNLOADED')}
          {rights.mark && loadingStatus !== 'NOT_LOADED' && statusButton('NOT_LOADED')}
          {rights.mark && track && <NoteLinks pallet={pallet} />}
          {retires && (
            <Ask<GateActions> action="retire" values={{ track: track.uuid }}>
              {t('gate.retire', { code: String(track.markerCode) })}
            </Ask>
          )}
          <a
            class="button quiet"
            href={`${path}/label.pdf?record=${pallet.recordUuid}`}
            target="_blank"
            rel="noopener"
            aria-label={t('gate.label', { pallet: wmsId })}
          >
            {t('gate.printLabel')}
          </a>
          {rights.desk && (
            <a
              class="button quiet"
              href={track ? `/app/track/${track.uuid}` : `/app/asset/${pallet.recordUuid}`}
              aria-label={t('gate.pallet', { pallet: wmsId })}
            >
              {t('page.pallet')}
            </a>
          )}
          {audits && <AuditLink uuid={track.uuid} name={wmsId} />}
        </div>
      </details>
      {rights.mark && !loaded && statusButton('LOADED')}
    </div>
  );
};

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
