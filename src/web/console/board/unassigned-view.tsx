import type { FC } from 'hono/jsx';
import type { GateReference } from '../../../dispatch/gate/rules.ts';
import { useWords } from '../../../messages/context.ts';
import { Form, Submit } from '../../ui/form/form.tsx';
import type { BoardActions } from './actions.ts';
import { Arrived } from './arrival.tsx';
import { Refused } from './forms.tsx';
import { loadValue } from './load-value.ts';
import { At, kindName, Leaves, palletsText, topicsData, upTo } from './parts.tsx';
import { type BoardLoad, type Rights, waitingTopics } from './rules.ts';
import { BOARD_LIMITS } from './store.ts';

/** The form that assigns a gate. It includes the buttons on the cards. */
export const ASSIGN = 'assign';

/** Loads without a gate: choose one, then a gate from the list or on its card. */
export const Unassigned: FC<{
  things: readonly BoardLoad[];
  gates: readonly GateReference[];
  rights: Rights;
}> = ({ things, gates, rights }) => {
  const { shown, more } = upTo(things, BOARD_LIMITS.unassigned);
  const { t } = useWords();
  return (
    <section
      class="card waiting"
      aria-labelledby="waiting-title"
      data-part="waiting"
      id="waiting"
      data-topics={topicsData(waitingTopics(shown))}
    >
      <h2 id="waiting-title">{t('gate.waiting')}</h2>
      {shown.length === 0 ? (
        <p class="hint">{t('gate.nothingWaits')}</p>
      ) : rights.operate && gates.length > 0 ? (
        <Form<BoardActions> action="assign" class="assign" id={ASSIGN} label={t('board.assignGate')}>
          <fieldset class="choice">
            <legend class="hidden">{t('board.what')}</legend>
            {shown.map((thing) => (
              <div id={`u-${thing.uuid}`}>
                <label class="drag" draggable>
                  <input type="radio" name="thing" value={loadValue(thing)} required />
                  <Waiting thing={thing} />
                </label>
                <Refused about={loadValue(thing)} />
              </div>
            ))}
          </fieldset>
          <div class="field">
            <label for="assign-gate">{t('board.gate')}</label>
            <select id="assign-gate" name="gate">
              <option value="">{t('gate.choose')}</option>
              {gates.map(({ uuid, name }) => (
                <option value={uuid}>{name}</option>
              ))}
            </select>
          </div>
          <Submit>{t('board.assign')}</Submit>
        </Form>
      ) : (
        <ul class="plain">
          {shown.map((thing) => (
            <li id={`u-${thing.uuid}`} class="waiting-item">
              <Waiting thing={thing} />
            </li>
          ))}
        </ul>
      )}
      {more && <p class="hint">{t('board.listFirst', { count: BOARD_LIMITS.unassigned })}</p>}
    </section>
  );
};

const Waiting: FC<{ thing: BoardLoad }> = ({ thing }) => {
  const words = useWords();
  return (
    <span>
      <span class="kind">{kindName(words, thing)}</span> <strong>{thing.externalIdentifier}</strong>{' '}
      <Leaves thing={thing} /> <Arrived at={thing.arrivalDate} />
      <span class="hint about">
        {palletsText(words, thing)}, {words.t('gate.since')} <At date={thing.createDate} />
      </span>
    </span>
  );
};
