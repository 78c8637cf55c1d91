import type { FC } from 'hono/jsx';
import { isInvalid } from '../../../../dispatch/load/shared/table.ts';
import { useWords } from '../../../../messages/context.ts';
import { PalletId } from '../../../ui/parts/badges.tsx';
import type { NewsPart } from './news-store.ts';
import { stateIn } from './pallets.tsx';
import type { PaperPallet } from './paper-store.ts';

/** The columns of a table on paper. */
const COLUMNS = 4;

interface PaperProps {
  parts: readonly NewsPart[];
  pallets: readonly PaperPallet[];
  /** The maximum number of pallets; `pallets` has one more if there are more. */
  limit: number;
  /** The path of the loading list, which has more pallets; undefined on the list itself. */
  list?: string;
}

/**
 * All pallets of a load by manifest, with a box to tick for each. A page of a load has it on paper only, because its
 * screen shows some of the pallets.
 */
export const Paper: FC<PaperProps> = ({ parts, pallets, limit, list }) => {
  const { t } = useWords();
  const total = parts
    .filter(({ status }) => status !== 'CANCELLED')
    .flatMap(({ counts }) => Object.values(counts))
    .reduce((sum, count) => sum + count, 0);
  const shown = pallets.slice(0, limit);
  return (
    <section class={list === undefined ? 'paper shown' : 'paper'} aria-label={t('paper.title')}>
      {pallets.length > limit && (
        <p class="notice warn">
          {t('paper.cut', { count: limit, total })}
          {list !== undefined && ` ${t('paper.printList')}`}
        </p>
      )}
      {parts.map((part) => {
        const own = shown.filter(({ manifestUuid }) => manifestUuid === part.uuid);
        return own.length > 0 && <PaperTable part={part} pallets={own} />;
      })}
    </section>
  );
};

/** The pallets of a manifest. Its name is a row of the head, so that every sheet has it. Wrong pallets do not count. */
const PaperTable: FC<{ part: NewsPart; pallets: readonly PaperPallet[] }> = ({
  part: { externalIdentifier, status },
  pallets,
}) => {
  const words = useWords();
  const { t } = words;
  const name = words.labelled(
    externalIdentifier,
    t('paper.pallets', { count: pallets.filter((pallet) => !isInvalid(pallet)).length }),
  );
  return (
    <table aria-label={name}>
      <colgroup>
        <col class="named" />
        <col span={COLUMNS - 1} />
      </colgroup>
      <thead>
        <tr>
          <th class="of" colspan={COLUMNS} scope="colgroup">
            {name}
          </th>
        </tr>
        <tr>
          <th scope="col">{t('page.pallet')}</th>
          <th scope="col">{t('page.marker')}</th>
          <th scope="col">{t('load.state')}</th>
          <th scope="col">{t('paper.done')}</th>
        </tr>
      </thead>
      <tbody>
        {pallets.map(({ wmsId, markerCode, loadingStatus }) => (
          <tr>
            <th scope="row">
              <PalletId id={wmsId ?? t('load.unknownMarker', { code: String(markerCode ?? '?') })} />
            </th>
            <td>{markerCode}</td>
            <td>{stateIn(words, loadingStatus, status === 'COMPLETED')}</td>
            <td class="tick">
              <span />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
