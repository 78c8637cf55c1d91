import type { Child, FC, PropsWithChildren } from 'hono/jsx';
import { isInvalid } from '../../../../dispatch/load/shared/table.ts';
import { useWords } from '../../../../messages/context.ts';
import type { Words } from '../../../../messages/words.ts';
import { Ask } from '../../../ui/confirm/confirmation.tsx';
import { ActionButton } from '../../../ui/form/form.tsx';
import { BULK_FORM, type Bulk } from '../../../ui/list/bulk.tsx';
import { GatePlate } from '../../../ui/list/gates.tsx';
import { type Column, Table } from '../../../ui/list/rows.tsx';
import { ResourceLink } from '../../../ui/page/resource.tsx';
import { PalletId } from '../../../ui/parts/badges.tsx';
import { Badge, OptionalText, statusIn } from '../../../ui/parts/components.tsx';
import { Time } from '../../../ui/parts/time.tsx';
import { LABELS, LabelLink } from '../marker/labels.tsx';
import type { LoadActions } from './actions.ts';
import type { ShownPallet } from './pallet-store.ts';

/** A button that removes the record of a wrong pallet. If the truck has left, it asks for confirmation. */
export const RemoveRecord: FC<
  PropsWithChildren<{ asks: boolean; record: string; label: string; quiet?: boolean }>
> = ({ asks, record, label, quiet = false, children }) =>
  asks ? (
    <Ask<LoadActions> action="removeRecord" values={{ record }} quiet={quiet} label={label}>
      {children}
    </Ask>
  ) : (
    <ActionButton<LoadActions> action="removeRecord" values={{ record }} quiet={quiet} label={label}>
      {children}
    </ActionButton>
  );

/** A button that detaches a pallet or manifest. During loading it asks for confirmation. */
export const Detach: FC<
  PropsWithChildren<{ asks: boolean; values: Record<string, string>; label: string }>
> = ({ asks, values, label, children }) =>
  asks ? (
    <Ask<LoadActions> action="detach" values={values} quiet label={label}>
      {children}
    </Ask>
  ) : (
    <ActionButton<LoadActions> action="detach" values={values} quiet label={label}>
      {children}
    </ActionButton>
  );

/** The actions on pallets that the user has. */
export interface PalletRights {
  /**
   * Whether records can be marked. False if the user may only read, or if the load is cancelled.
   */
  mark: boolean;
  /** Whether pallets can be detached from their manifest. During loading this needs a question. */
  detach: boolean;
  loading: boolean;
  /** Whether the truck has left. A pallet that is not loaded is then missing. */
  left: boolean;
}

export const palletBulk = (words: Words): Bulk<ShownPallet, never> => ({
  value: ({ recordUuid }) => recordUuid,
  label: (pallet) => nameOf(words, pallet),
  offers: () => [LABELS],
});

const nameOf = ({ t }: Words, { wmsId, markerCode }: ShownPallet): string =>
  wmsId ?? t('load.unknownMarker', { code: String(markerCode ?? '?') });

/** The name of a pallet, linked to its page. An unknown marker has no page. */
export const PalletName: FC<{ of: ShownPallet }> = ({ of }) => {
  const name = nameOf(useWords(), of);
  if (!of.track && isInvalid(of)) return <PalletId id={name} />;
  const page = of.track
    ? { resource: 'track', uuid: of.track.uuid }
    : { resource: 'asset', uuid: of.recordUuid };
  return (
    <ResourceLink {...page}>
      <PalletId id={name} />
    </ResourceLink>
  );
};

/** The state of a pallet in words. A pallet that is not loaded when the truck has left is missing. */
export const stateIn = (words: Words, loadingStatus: string, left: boolean): string =>
  left && loadingStatus === 'NOT_LOADED' ? words.t('loading.NOT_LOADED') : statusIn(words, loadingStatus);

const LoadState: FC<{ of: ShownPallet; left: boolean }> = ({ of: { loadingStatus }, left }) => (
  <Badge status={loadingStatus} label={stateIn(useWords(), loadingStatus, left)} />
);

/** Problems of a pallet itself. */
export const PalletFlags: FC<{ of: ShownPallet }> = ({ of: { track } }) => (
  <>
    {track?.flagged === 1 && <Badge status="FLAGGED" />}
    {track?.damaged === 1 && <Badge status="DAMAGED" />}
  </>
);

/** A table of pallets with the actions on each. */
export const PalletTable: FC<{
  caption: Child;
  pallets: readonly ShownPallet[];
  rights: PalletRights;
  showManifest?: boolean;
}> = ({ caption, pallets, rights, showManifest = false }) => {
  const words = useWords();
  return (
    <Table
      caption={caption}
      rows={pallets}
      empty={words.t('load.noPallets')}
      picking={{ ...palletBulk(words), form: BULK_FORM }}
      columns={columns(words, rights, showManifest)}
    />
  );
};

const columns = (words: Words, rights: PalletRights, showManifest: boolean): Column<ShownPallet>[] => {
  const { t } = words;
  return [
    { label: t('page.pallet'), value: (pallet) => <PalletName of={pallet} /> },
    {
      label: t('load.state'),
      narrow: 'evident',
      value: (pallet) => (
        <>
          <LoadState of={pallet} left={rights.left} /> <PalletFlags of={pallet} />
        </>
      ),
    },
    {
      label: t('page.marker'),
      narrow: 'gone',
      value: ({ markerCode, track }) => <OptionalText of={markerCode ?? track?.markerCode} />,
    },
    ...(showManifest
      ? [
          {
            label: t('kind.MANIFEST'),
            value: ({ manifestUuid, manifestExternalId }: ShownPallet): Child => (
              <ResourceLink resource="manifest" uuid={manifestUuid}>
                {manifestExternalId}
              </ResourceLink>
            ),
          },
        ]
      : []),
    {
      label: t('load.seen'),
      narrow: 'gone',
      value: ({ date, gate }) =>
        date !== null && (
          <>
            {gate && <GatePlate gate={gate} />} <Time at={date} />
          </>
        ),
    },
    {
      label: t('load.actions'),
      acts: true,
      narrow: 'evident',
      value: (pallet) => (
        <div class="actions">
          {rights.mark && <Correction of={pallet} left={rights.left} />}
          {pallet.loadingStatus !== 'UNKNOWN_LOADING' && (
            <LabelLink
              at={
                pallet.track
                  ? `/app/marker-code/${pallet.track.markerCode}`
                  : `/app/asset/${pallet.recordUuid}`
              }
              of={nameOf(words, pallet)}
            />
          )}
          {rights.mark && rights.detach && <DetachPallet of={pallet} asks={rights.loading} />}
        </div>
      ),
    },
  ];
};

/** The main action on a pallet: load it, or remove the record of a pallet that does not belong to the load. */
const Correction: FC<{ of: ShownPallet; left: boolean }> = ({ of, left }) => {
  const words = useWords();
  const { t } = words;
  const pallet = nameOf(words, of);
  const record = of.recordUuid;
  if (isInvalid(of)) {
    return (
      <RemoveRecord asks={left} record={record} quiet label={t('load.removeOf', { pallet })}>
        {t('load.remove')}
      </RemoveRecord>
    );
  }
  if (of.loadingStatus === 'LOADED') return null;
  return (
    <ActionButton<LoadActions> action="load" values={{ record }} quiet label={t('load.loadedOf', { pallet })}>
      {t('loading.LOADED')}
    </ActionButton>
  );
};

const DetachPallet: FC<{ of: ShownPallet; asks: boolean }> = ({ of, asks }) => {
  const words = useWords();
  const { t } = words;
  if (of.wmsId === null || isInvalid(of)) return null;
  return (
    <Detach
      asks={asks}
      values={{ trackIdentifier: of.wmsId }}
      label={t('load.detachOf', { name: nameOf(words, of) })}
    >
      {t('load.detach')}
    </Detach>
  );
};
