import type { FC } from 'hono/jsx';
import { Badge } from '../kit/components.tsx';
import { Do } from '../kit/form.tsx';
import { Ask } from '../kit/question.tsx';
import { AuditLink, holderValue, Refused } from './forms.tsx';
import { GATE_LIMITS, type GatePage } from './gate-store.ts';
import { At, upTo } from './parts.tsx';
import type { Pallet } from './rules.ts';
import type { Rights } from './view.tsx';

/** Find a pallet of what is being loaded, to mark it. */
export const PalletSearch: FC<{ page: GatePage; q: string | null; rights: Rights }> = ({
  page,
  q,
  rights,
}) => {
  if (page.gate.active.length === 0) return null;
  const { shown, more } = upTo(page.found ?? [], GATE_LIMITS.found);
  return (
    <section class="card" aria-labelledby="find-title" id="find">
      <h2 id="find-title">Find a pallet</h2>
      <form method="get" class="inline" action={`/app/gate/${page.gate.uuid}`}>
        <div class="field">
          <label for="q">Pallet or marker</label>
          <input id="q" name="q" type="search" value={q ?? ''} maxlength={255} autocomplete="off" />
        </div>
        <button type="submit" class="button quiet">
          Find
        </button>
      </form>
      {q !== null && (
        <>
          <p role="status">
            {shown.length === 0
              ? `Nothing here is called “${q}”.`
              : `${shown.length}${more ? ' or more' : ''} found. `}
            <a href={`/app/gate/${page.gate.uuid}`}>Show all</a>
          </p>
          <PalletList id="found" label="Found" pallets={shown} rights={rights} q={q} />
        </>
      )}
    </section>
  );
};

/** What is to be loaded still. */
export const OpenPallets: FC<{ page: GatePage; rights: Rights }> = ({ page, rights }) => {
  if (page.gate.active.length === 0) return null;
  const { shown, more } = upTo(page.open, GATE_LIMITS.open);
  return (
    <section class="card" aria-labelledby="open-title">
      <h2 id="open-title">To load</h2>
      {shown.length === 0 && <p class="hint">Everything is loaded.</p>}
      <PalletList id="open" label="To load" pallets={shown} rights={rights} />
      {more && <p class="hint">The first {GATE_LIMITS.open} are shown. Find others by name.</p>}
    </section>
  );
};

/** What was loaded last. */
export const LoadedPallets: FC<{ page: GatePage; rights: Rights }> = ({ page, rights }) =>
  page.loaded.length === 0 ? null : (
    <section class="card" aria-labelledby="loaded-title">
      <h2 id="loaded-title">Loaded last</h2>
      <PalletList id="loaded" label="Loaded last" pallets={page.loaded} rights={rights} />
    </section>
  );

interface ListProps {
  id: string;
  label: string;
  pallets: readonly Pallet[];
  rights: Rights;
  q?: string;
}

const PalletList: FC<ListProps> = ({ id, label, pallets, rights, q }) =>
  pallets.length === 0 ? null : (
    <ul class="pallets" aria-label={label}>
      {pallets.map((pallet) => (
        <li id={`${id}-${pallet.recordUuid}`} class="row">
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
  <p>
    {track ? (
      <a class="name" href={`/app/track/${track.uuid}`}>
        {wmsId}
      </a>
    ) : (
      <strong class="name">{wmsId}</strong>
    )}{' '}
    {loadingStatus !== 'NOT_LOADED' && <Badge status={loadingStatus} />}{' '}
    {track?.flagged === 1 && <Badge status={track.damaged === 1 ? 'DAMAGED' : 'FLAGGED'} />}{' '}
    {track?.retirement === 'RETIRED' && <Badge status="NOT_ACTIVE" />}
    {track?.retirement === 'SCHEDULED' && <Badge status="SCHEDULED_FOR_RETIREMENT" />}
    <span class="hint">
      {track === null ? 'no marker yet' : `marker ${track.markerCode}`}, {manifestExternalId}
      {date !== null && (
        <>
          , <At date={date} />
        </>
      )}
    </span>
  </p>
);

/** What each status of a record can be made by hand, and what that is called. */
const MARKS = { LOADED: 'Loaded', NOT_LOADED: 'Not loaded', UNLOADED: 'Unloaded' } as const;

const PalletActions: FC<Omit<ListProps, 'pallets' | 'label'> & { pallet: Pallet }> = ({
  id,
  pallet,
  rights,
  q,
}) => {
  const { loadingStatus, track, wmsId } = pallet;
  const mark = (status: keyof typeof MARKS, quiet: boolean) => (
    <Do
      action="mark"
      values={{
        thing: holderValue(pallet),
        record: pallet.recordUuid,
        status,
        ...(q === undefined ? {} : { q }),
      }}
      quiet={quiet}
      label={`${MARKS[status]}: ${wmsId}`}
    >
      {MARKS[status]}
    </Do>
  );
  const loaded = loadingStatus === 'LOADED';
  const retires = rights.operate && track !== null && track.retirement === 'NONE';
  const audits = rights.audit && track !== null;
  if (!rights.mark && !audits) return null;
  return (
    <div class="actions">
      {rights.mark && !loaded && mark('LOADED', true)}
      {(rights.mark || audits || retires) && (
        <details class="ask" id={`${id}-more-${pallet.recordUuid}`}>
          <summary class="button quiet" aria-label={`More about ${wmsId}`}>
            <span aria-hidden="true">⋯</span>
          </summary>
          <div class="ask-panel">
            {rights.mark && loadingStatus !== 'UNLOADED' && mark('UNLOADED', true)}
            {rights.mark && loadingStatus !== 'NOT_LOADED' && mark('NOT_LOADED', true)}
            {retires && (
              <Ask action="retire" values={{ track: track.uuid }}>
                Retire marker {track.markerCode}
              </Ask>
            )}
            {audits && <AuditLink uuid={track.uuid} name={wmsId} />}
          </div>
        </details>
      )}
    </div>
  );
};
