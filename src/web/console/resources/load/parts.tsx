import type { Child, FC } from 'hono/jsx';
import type { presentSignatures } from '../../../../dispatch/load/shared/signature-store.ts';
import { useWords } from '../../../../messages/context.ts';
import type { Words } from '../../../../messages/words.ts';
import { GateLink, GatePlate, gatePlain } from '../../../ui/list/gates.tsx';
import { type Column, instant } from '../../../ui/list/rows.tsx';
import { Loaded } from '../../../ui/parts/badges.tsx';
import { Time } from '../../../ui/parts/time.tsx';
import { ShareLink } from './share-page.tsx';

/** Who has signed a load. */
export const Signed: FC<{ signatures: ReturnType<typeof presentSignatures> }> = ({ signatures }) => {
  const { t } = useWords();
  if (signatures.length === 0) return null;
  return (
    <dl class="facts">
      {signatures.map(({ role, name, signDate }) => (
        <div>
          <dt>{t(`signer.${role}`)}</dt>
          <dd>
            {name}, <Time at={signDate} />
          </dd>
        </div>
      ))}
    </dl>
  );
};

type Gate = { uuid: string; externalIdentifier: string; name: string } | null;

/** A row of a list of manifests or shipments. */
interface Listed {
  gate: Gate;
  counts: { loaded: number; total: number };
  createDate: number;
  updateDate: number;
  closeDate: number | null;
}

export const gateColumn = ({ t }: Words): Column<Pick<Listed, 'gate'>, never> => ({
  label: t('page.gate'),
  key: 'gate',
  value: ({ gate }) => <GatePlate gate={gate} />,
  plain: gatePlain,
  narrow: 'head',
});

/** The last columns of the lists of manifests and of shipments. */
export const loadColumns = ({
  t,
}: Words): readonly Column<Listed, 'createDate' | 'updateDate' | 'closeDate'>[] => [
  {
    label: t('page.loaded'),
    key: 'loaded',
    value: ({ counts, closeDate }) => <Loaded {...counts} closed={closeDate !== null} />,
    plain: ({ counts }) => counts.loaded,
    narrow: 'wide',
  },
  { label: t('page.pallets'), plain: ({ counts }) => counts.total, filed: true },
  {
    label: t('load.changed'),
    key: 'changed',
    sort: 'updateDate',
    plain: ({ updateDate }) => instant(updateDate),
    narrow: 'gone',
  },
  {
    label: t('load.created'),
    key: 'created',
    sort: 'createDate',
    plain: ({ createDate }) => instant(createDate),
    extra: true,
  },
  {
    label: t('load.closed'),
    key: 'closed',
    sort: 'closeDate',
    plain: ({ closeDate }) => instant(closeDate),
    extra: true,
  },
];

/** A manifest or shipment on its page. */
export interface LoadView {
  uuid: string;
  externalIdentifier: string;
  deleted: boolean;
  gate: Gate;
  createDate: string;
  activateDate: string | null;
  closeDate: string | null;
  customFields: readonly { fieldKey: string; fieldValue: string }[];
  /** For an open shipment. */
  driverUrl?: string | null;
  shipmentSummaryUrl?: string | undefined;
  proofOfShipmentUrl: string | null;
}

/** The gate and dates of a load. `further` follows the gate. */
export const gateFacts = (
  { t }: Words,
  load: LoadView,
  further: readonly [string, Child][] = [],
): [string, Child][] => [
  [t('page.gate'), <GateLink gate={load.gate} />],
  ...further,
  [t('load.created'), <Time at={load.createDate} />],
  [t('page.loadingBegan'), <Time at={load.activateDate} />],
  [t('load.closed'), <Time at={load.closeDate} />],
];

/** The same with its progress, for pages that do not show it elsewhere. */
export const loadFacts = (
  words: Words,
  load: LoadView & { loadedAssetsCount: number; totalAssetsCount: number },
): [string, Child][] => [
  [
    words.t('page.loaded'),
    words.t('page.loadedOf', { loaded: load.loadedAssetsCount, total: load.totalAssetsCount }),
  ],
  ...gateFacts(words, load),
];

/**
 * Links to the public page and the document of a completed load, and to sign it. An open shipment shares the page of its
 * driver.
 */
export const PublicLinks: FC<{
  of: LoadView;
  /** The path of the load's page. */
  page: string;
  /** Whether the load takes signatures, and the user may ask for one. */
  maySign?: boolean;
}> = ({ of: { driverUrl, shipmentSummaryUrl, proofOfShipmentUrl }, page, maySign = false }) => {
  const { t } = useWords();
  const isShared = proofOfShipmentUrl !== null || Boolean(driverUrl);
  if (!isShared && !maySign) return null;
  return (
    <p class="actions">
      {isShared && <ShareLink of={page} />}
      {proofOfShipmentUrl !== null && (
        <>
          <a class="button quiet" href={shipmentSummaryUrl}>
            {t('load.summary')}
          </a>
          <a class="button quiet" href={proofOfShipmentUrl}>
            {t('page.proof')}
          </a>
        </>
      )}
      {maySign && (
        <a class="button quiet" href={`${page}/sign`} data-ask>
          {t('sign.open')}
        </a>
      )}
    </p>
  );
};
