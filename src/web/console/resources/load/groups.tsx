import type { FC } from 'hono/jsx';
import { useWords } from '../../../../messages/context.ts';
import { ResourceLink } from '../../../ui/page/resource.tsx';
import { LoadLine } from '../../../ui/parts/badges.tsx';
import { usePageState } from '../../../ui/parts/view.ts';
import { progressOf } from '../../board/rules.ts';
import type { NewsPart } from './news-store.ts';
import type { ShownPallet } from './pallet-store.ts';
import { Detach, type PalletRights, PalletTable } from './pallets.tsx';
import { RecordSearch } from './records.tsx';

/** The maximum number of manifests that are shown as groups. With more manifests, all pallets are one list. */
const NAMED_MAXIMUM = 100;

interface GroupsProps {
  parts: readonly NewsPart[];
  /** The first pallets by manifest, incomplete manifests first. */
  pallets: ReadonlyMap<string, readonly ShownPallet[]>;
  rights: PalletRights;
  /** Whether manifests can be detached, and whether that needs a question. */
  detachable: boolean;
}

/** The pallets of a shipment by manifest. Pallets still to load come first. */
export const Groups: FC<GroupsProps> = ({ parts, pallets, ...rights }) => {
  const { t } = useWords();
  const { path } = usePageState();
  const order = [...pallets.keys()];
  const rankOf = ({ uuid }: NewsPart) => (order.indexOf(uuid) + order.length + 1) % (order.length + 1);
  const shown = parts.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, NAMED_MAXIMUM);
  return (
    <section class="groups" id="pallets" aria-labelledby="pallets-title">
      <h2 id="pallets-title">{t('page.manifests', { count: parts.length })}</h2>
      {parts.length === 0 ? <p class="empty">{t('load.noManifests')}</p> : <RecordSearch />}
      {shown.map((part) => (
        <Group part={part} pallets={pallets.get(part.uuid) ?? []} {...rights} />
      ))}
      {parts.length > shown.length && (
        <p>
          <a href={`${path}?pageNumber=1#pallets`}>
            {t('load.moreManifests', { count: parts.length - shown.length })}
          </a>
        </p>
      )}
    </section>
  );
};

const Group: FC<
  Omit<GroupsProps, 'parts' | 'pallets'> & { part: NewsPart; pallets: readonly ShownPallet[] }
> = ({ part: { uuid, externalIdentifier, status, counts }, pallets, rights, detachable }) => {
  const { t, number } = useWords();
  const { path } = usePageState();
  const { loaded, total } = progressOf(counts);
  const closed = status === 'COMPLETED' || status === 'CANCELLED';
  const more = total - pallets.length;
  return (
    <details class="card group" id={`m-${uuid}`} open={pallets.length > 0 && loaded < total}>
      <summary>
        <span class="name">{externalIdentifier}</span>
        {status === 'CANCELLED' && <span class="hint">{t('page.cancelled')}</span>}
        <span class="far">
          <LoadLine loaded={loaded} total={total} closed={closed} />
          <span>
            <b>{number(loaded)}</b> / {number(total)}
          </span>
        </span>
      </summary>
      {pallets.length > 0 && (
        <PalletTable
          caption={t('load.palletsOf', { name: externalIdentifier })}
          pallets={pallets}
          rights={rights}
        />
      )}
      <p class="actions">
        {more > 0 && (
          <a href={`${path}?manifest=${uuid}#pallets`}>
            {pallets.length === 0
              ? t('page.palletCount', { count: more })
              : t('load.morePallets', { count: more })}
          </a>
        )}
        <ResourceLink resource="manifest" uuid={uuid}>
          {t('load.openManifest', { name: externalIdentifier })}
        </ResourceLink>
        {detachable && (
          <Detach
            asks={rights.loading}
            values={{ manifestUuid: uuid }}
            label={t('load.detachOf', { name: externalIdentifier })}
          >
            {t('load.detach')}
          </Detach>
        )}
      </p>
    </details>
  );
};
