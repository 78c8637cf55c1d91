import type { FC } from 'hono/jsx';
import { Badge } from '../kit/components.tsx';
import { Do } from '../kit/form.tsx';
import { Icon } from '../kit/icons.tsx';
import { Ask } from '../kit/question.tsx';
import { AuditLink, holderValue, Refused } from './forms.tsx';
import { lastFour, PalletId } from './gate-parts.tsx';
import { GATE_LIMITS, type GatePage } from './gate-store.ts';
import { At, upTo } from './parts.tsx';
import { type Pallet, progressOf } from './rules.ts';
import type { Rights } from './view.tsx';

/** To load as large rows, and what was loaded last; or what somebody looked for. */
export const GateLists: FC<{ page: GatePage; rights: Rights; q: string | null }> = ({ page, rights, q }) => {
  if (page.gate.active.length === 0) return null;
  const { shown, more } = upTo(page.open, GATE_LIMITS.open);
  const counted = page.gate.active.map(({ counts }) => progressOf(counts));
  const sum = (name: 'loaded' | 'missing') => counts(counted.map((one) => one[name]));
  return (
    <section class="gr" aria-label="Pallets">
      <PalletSearch page={page} q={q} />
      {q !== null ? (
        <Found page={page} q={q} rights={rights} />
      ) : (
        <>
          <fieldset class="seg">
            <legend class="hidden">Which pallets are shown</legend>
            <label>
              <input type="radio" name="list" value="open" checked /> To load {sum('missing')}
            </label>
            <label>
              <input type="radio" name="list" value="loaded" /> Loaded {sum('loaded')}
            </label>
          </fieldset>
          <div class="of-open">
            {shown.length === 0 && <p class="hint">Everything is loaded.</p>}
            <PalletList id="open" label="To load" pallets={shown} rights={rights} />
            {more && <p class="hint">The first {GATE_LIMITS.open} are shown. Find others by name.</p>}
          </div>
          <div class="of-loaded">
            {page.loaded.length === 0 && <p class="hint">Nothing is loaded yet.</p>}
            <PalletList id="loaded" label="Loaded last" pallets={page.loaded} rights={rights} />
            {sum('loaded') > page.loaded.length && (
              <p class="hint">The last {page.loaded.length} are shown. Find others by name.</p>
            )}
          </div>
        </>
      )}
    </section>
  );
};

const counts = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Find a pallet of what is being loaded, to mark it. */
const PalletSearch: FC<{ page: GatePage; q: string | null }> = ({ page, q }) => (
  <form method="get" class="find" action={`/app/gate/${page.gate.uuid}`}>
    <label class="hidden" for="q">
      Pallet or marker
    </label>
    <input
      id="q"
      name="q"
      type="search"
      value={q ?? ''}
      maxlength={255}
      autocomplete="off"
      placeholder="Find a pallet"
    />
    <button type="submit" class="button quiet">
      Find
    </button>
  </form>
);

const Found: FC<{ page: GatePage; q: string; rights: Rights }> = ({ page, q, rights }) => {
  const { shown, more } = upTo(page.found ?? [], GATE_LIMITS.found);
  return (
    <div id="find">
      <p role="status" class="hint">
        {shown.length === 0
          ? `Nothing here is called “${q}”.`
          : `${shown.length}${more ? ' or more' : ''} found. `}
        <a class="button quiet" href={`/app/gate/${page.gate.uuid}`}>
          Show all
        </a>
      </p>
      <PalletList id="found" label="Found" pallets={shown} rights={rights} q={q} />
    </div>
  );
};

interface ListProps {
  id: string;
  label: string;
  pallets: readonly Pallet[];
  rights: Rights;
  q?: string;
}

/** An empty list stays: a row that was marked stands there for a while. */
const PalletList: FC<ListProps> = ({ id, label, pallets, rights, q }) => (
  <ul class="rows" id={id} aria-label={label}>
    {pallets.map((pallet) => (
      <li
        id={`${id}-${pallet.recordUuid}`}
        data-record={pallet.recordUuid}
        data-names={JSON.stringify([pallet.wmsId, String(pallet.track?.markerCode ?? '')])}
      >
        <b class="d4">{lastFour(pallet.wmsId)}</b>
        <PalletName pallet={pallet} />
        <PalletActions id={id} pallet={pallet} rights={rights} {...(q === undefined ? {} : { q })} />
        <Refused about={pallet.recordUuid} />
      </li>
    ))}
  </ul>
);

const PalletName: FC<{ pallet: Pallet }> = ({
  pallet: { wmsId, manifestExternalId, loadingStatus, date, track },
}) => (
  <p class="m">
    {loadingStatus !== 'NOT_LOADED' && <Badge status={loadingStatus} />}{' '}
    {track?.flagged === 1 && <Badge status={track.damaged === 1 ? 'DAMAGED' : 'FLAGGED'} />}{' '}
    {track?.retirement === 'RETIRED' && <Badge status="NOT_ACTIVE" />}
    {track?.retirement === 'SCHEDULED' && <Badge status="SCHEDULED_FOR_RETIREMENT" />}
    <PalletId id={wmsId} />
    <span class="hint">
      {manifestExternalId}, {track === null ? 'no marker yet' : track.markerCode}
      {date !== null && (
        <>
          , <At date={date} />
        </>
      )}
    </span>
  </p>
);

/** What each status of a record can be made by hand, and what that is called. */
const MARKS = { LOADED: 'Mark loaded', NOT_LOADED: 'Not loaded', UNLOADED: 'Unloaded' } as const;

const PalletActions: FC<Omit<ListProps, 'pallets' | 'label'> & { pallet: Pallet }> = ({
  id,
  pallet,
  rights,
  q,
}) => {
  const { loadingStatus, track, wmsId } = pallet;
  const mark = (status: keyof typeof MARKS) => (
    <Do
      action="mark"
      values={{
        thing: holderValue(pallet),
        record: pallet.recordUuid,
        status,
        ...(q === undefined ? {} : { q }),
      }}
      quiet
      label={`${MARKS[status]}: ${wmsId}`}
    >
      {MARKS[status]}
    </Do>
  );
  const loaded = loadingStatus === 'LOADED';
  const retires = rights.operate && rights.desk && track !== null && track.retirement === 'NONE';
  const audits = rights.audit && track !== null;
  if (!rights.mark && !audits) return null;
  return (
    <div class="actions">
      <details class="ask" id={`${id}-more-${pallet.recordUuid}`}>
        <summary class="button quiet" aria-label={`More about ${wmsId}`}>
          <Icon name="list" />
        </summary>
        <div class="ask-panel">
          {rights.mark && loadingStatus !== 'UNLOADED' && mark('UNLOADED')}
          {rights.mark && loadingStatus !== 'NOT_LOADED' && mark('NOT_LOADED')}
          {retires && (
            <Ask action="retire" values={{ track: track.uuid }}>
              Retire marker {track.markerCode}
            </Ask>
          )}
          {track && rights.desk && (
            <a class="button quiet" href={`/app/track/${track.uuid}`}>
              Pallet {wmsId}
            </a>
          )}
          {audits && <AuditLink uuid={track.uuid} name={wmsId} />}
        </div>
      </details>
      {rights.mark && !loaded && mark('LOADED')}
    </div>
  );
};
