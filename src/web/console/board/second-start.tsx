import { parseJson } from '../../../core/lib/json.ts';
import type { PageContext } from '../../ui/confirm/action.ts';
import type { LoadRef } from '../../ui/confirm/confirm-closing.tsx';
import { type Confirmation, NOT_ASKED } from '../../ui/confirm/confirmation.tsx';
import { wantsJson } from '../../ui/page/answer.tsx';
import { GATE_LIMITS } from './gate-store.ts';
import { progressOf } from './rules.ts';
import { namedGatesQuery } from './store.ts';

/**
 * The question before a load is started while another one is being loaded at its gate. Most often the first truck was not
 * completed. A press that a device has queued is not asked, because its pallets may be aboard already.
 */
export async function confirmStart(
  { c, database, words }: Pick<PageContext, 'c' | 'database' | 'words'>,
  gateUuid: string,
  { uuid }: LoadRef,
): Promise<Confirmation> {
  if (wantsJson(c)) return NOT_ASKED;
  const row = await database.first(namedGatesQuery(database, [gateUuid], GATE_LIMITS));
  const { active, waiting } = row ? parseJson(row.view) : { active: [], waiting: [] };
  const name = waiting.find((load) => load.uuid === uuid)?.externalIdentifier;
  if (name === undefined || active.length === 0) return NOT_ASKED;
  const { t, labelled, list } = words;
  return {
    title: t('gate.startToo', { others: list(active.map((load) => load.externalIdentifier)), name }),
    text: active.map(({ externalIdentifier, counts }) => (
      <p>{labelled(externalIdentifier, t('gate.loadedOf', progressOf(counts)))}</p>
    )),
    yes: `${t('gate.start')} ${name}`,
    no: t('close.no'),
    note: false,
  };
}
