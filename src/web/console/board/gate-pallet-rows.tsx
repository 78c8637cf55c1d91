import type { FC } from 'hono/jsx';
import { listed } from '../../../core/lib/text.ts';
import { useWords } from '../../../messages/context.ts';
import { Ask } from '../../ui/confirm/confirmation.tsx';
import { ActionButton } from '../../ui/form/form.tsx';
import { lastFour, PalletId } from '../../ui/parts/badges.tsx';
import { Badge } from '../../ui/parts/components.tsx';
import { Icon } from '../../ui/parts/icons.tsx';
import { usePageState } from '../../ui/parts/view.ts';
import type { GateActions } from './actions.ts';
import { AuditLink, Refused, recordLoadValue } from './forms.tsx';
import { NoteLinks } from './gate-note.tsx';
import { detailsIn } from './outcome-words.ts';
import { At } from './parts.tsx';
import type { BoardPallet, Rights } from './rules.ts';

interface ListProps {
  id: string;
  label: string;
  pallets: readonly BoardPallet[];
  rights: Rights;
  q?: string;
}

/** The list exists even if it is empty: a row that was just marked stays in it for a while. */
export const PalletList: FC<ListProps> = ({ id, label, pallets, rights, q }) => (
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
