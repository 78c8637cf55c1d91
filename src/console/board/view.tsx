import type { FC } from 'hono/jsx';
import type { GateReference } from '../../site/rules.ts';
import { Empty, WithTimes } from '../kit/components.tsx';
import { Form, Submit } from '../kit/form.tsx';
import { Icon } from '../kit/icons.tsx';
import { CompleteButton, Refused, RemoveButton, StartButton, thingValue } from './forms.tsx';
import {
  At,
  kindOf,
  Leaves,
  Live,
  Progress,
  palletsOf,
  STATES,
  StateBand,
  ThingName,
  topicsData,
  upTo,
  whereTo,
  wrongName,
  wrongWords,
} from './parts.tsx';
import {
  type BoardGate,
  type GateState,
  isReady,
  stateOf,
  type Thing,
  topicsOf,
  troubleOf,
  waitingTopics,
} from './rules.ts';
import { BOARD_LIMITS, type Board } from './store.ts';

/** What the viewer may do. */
export interface Rights {
  mark: boolean;
  operate: boolean;
  audit: boolean;
  /** What is done from a desk: not at a tablet, which belongs to its gate. */
  desk: boolean;
  /** Who works at gates, and by which tablets. */
  people: boolean;
}

/** All gates at a glance, and what waits for one; or the part of that which was read. */
export const BoardView: FC<{ board: Board; rights: Rights; whole: boolean }> = ({ board, rights, whole }) => {
  const { shown, more } = upTo(board.gates, BOARD_LIMITS.gates);
  const states = shown.map(stateOf);
  return (
    <Live sequenceNumber={board.sequenceNumber} title="Gate board" topics={[]} class="board">
      {whole && <Summary gates={shown} states={states} />}
      <section class="gates" aria-label="Gates">
        {whole && shown.length === 0 && <Empty>There are no gates.</Empty>}
        {shown.map((gate, index) => (
          <GateCard gate={gate} state={states[index]!} rights={rights} />
        ))}
      </section>
      {more && (
        <p>
          The board shows {BOARD_LIMITS.gates} gates. <a href="/app/gate">All gates</a>
        </p>
      )}
      {board.waiting && <Unassigned {...board.waiting} rights={rights} />}
    </Live>
  );
};

/** How many gates are in which state, and the way to the first; the script counts again when gates change one by one. */
const Summary: FC<{ gates: readonly BoardGate[]; states: readonly GateState[] }> = ({ gates, states }) => (
  <ul class="summary" aria-label="Gates by state">
    {(Object.keys(STATES) as GateState[])
      .filter((state) => state !== 'OUT')
      .map((state) => {
        const first = gates[states.indexOf(state)];
        return (
          <li>
            <a
              href={first ? `#gate-${first.uuid}` : undefined}
              data-count={state}
              data-some={first ? 'yes' : 'no'}
              id={`sum-${state}`}
            >
              <Icon name={STATES[state].icon} /> <b>{states.filter((one) => one === state).length}</b>{' '}
              {STATES[state].word}
            </a>
          </li>
        );
      })}
  </ul>
);

const GateCard: FC<{ gate: BoardGate; state: GateState; rights: Rights }> = ({ gate, state, rights }) => {
  const trouble = troubleOf(gate);
  const active = upTo(gate.active, BOARD_LIMITS.active);
  const waiting = upTo(gate.waiting, BOARD_LIMITS.waiting);
  return (
    <article
      class="gate"
      id={`gate-${gate.uuid}`}
      data-part={gate.uuid}
      data-state={state}
      data-topics={topicsData(topicsOf(gate))}
    >
      <header class="gate-head">
        <h2>
          <a class="gate-title" href={`/app/gate/${gate.uuid}`}>
            {gate.name}
          </a>
        </h2>
        <StateBand state={state} />
      </header>
      {rights.operate && (
        <button type="submit" class="button quiet here" form={ASSIGN} name="here" value={gate.uuid}>
          Assign to {gate.name}
        </button>
      )}
      <GateTrouble gate={gate} trouble={trouble} rights={rights} />
      {active.shown.map((thing) => (
        <div class="gate-thing" id={`t-${thing.uuid}`}>
          <p>
            <ThingName thing={thing} /> <Leaves thing={thing} />
          </p>
          <Progress counts={thing.counts} label={thing.externalIdentifier} />
          {rights.operate && isReady(thing) && <CompleteButton thing={thing} />}
          <Refused about={thingValue(thing)} />
        </div>
      ))}
      {active.more && <p class="more">and more in progress</p>}
      {waiting.shown.map((thing, index) => (
        <div class="gate-next" id={`n-${thing.uuid}`}>
          <p>
            <span class="hint">Next</span> <ThingName thing={thing} />{' '}
            <span class="hint">{palletsOf(thing)}</span> <Leaves thing={thing} />
          </p>
          {rights.operate && index === 0 && gate.active.length === 0 && <StartButton thing={thing} />}
          <Refused about={thingValue(thing)} />
        </div>
      ))}
      {waiting.more && <p class="more">and more waiting</p>}
    </article>
  );
};

/** The latest wrong pallet or alert of a gate, and how many others there are. */
const GateTrouble: FC<{ gate: BoardGate; trouble: ReturnType<typeof troubleOf>; rights: Rights }> = ({
  gate,
  trouble: { wrong, alerts },
  rights,
}) => {
  const [pallet] = wrong;
  const [alert] = alerts;
  const others = wrong.slice(1).length + alerts.slice(1).length;
  return (
    <>
      {pallet && (
        <div class="gate-wrong" id={`w-${pallet.recordUuid}`} data-announce={wrongWords(pallet, gate.name)}>
          <p>
            <strong>{wrongName(pallet)}</strong> {whereTo(pallet)}
          </p>
          {rights.mark && <RemoveButton wrong={pallet} />}
          <Refused about={pallet.recordUuid} />
        </div>
      )}
      {alert && (
        <p class="gate-alerts" id={`a-${alert.uuid}`} data-announce={`At ${gate.name}: ${alert.message}`}>
          <Icon name="camera" /> <WithTimes text={alert.message} />
        </p>
      )}
      {others > 0 && (
        <p class="more">
          <a class="touch" href={`/app/gate/${gate.uuid}`}>
            {others >= BOARD_LIMITS.wrong ? 'and more' : `and ${others} more`}
          </a>
        </p>
      )}
    </>
  );
};

/** The form that gives a gate: its gates stand in the cards, too. */
const ASSIGN = 'assign';

/** What is to be loaded and has no gate: one of it is chosen, and then a gate, in the list or by its card. */
const Unassigned: FC<{ things: readonly Thing[]; gates: readonly GateReference[]; rights: Rights }> = ({
  things,
  gates,
  rights,
}) => {
  const { shown, more } = upTo(things, BOARD_LIMITS.unassigned);
  return (
    <section
      class="card waiting"
      aria-labelledby="waiting-title"
      data-part="waiting"
      id="waiting"
      data-topics={topicsData(waitingTopics(shown))}
    >
      <h2 id="waiting-title">Waiting for a gate</h2>
      {shown.length === 0 ? (
        <p class="hint">Nothing waits.</p>
      ) : rights.operate && gates.length > 0 ? (
        <Form action="assign" class="assign" id={ASSIGN} label="Assign a gate">
          <fieldset class="choice">
            <legend class="hidden">What</legend>
            {shown.map((thing) => (
              <div id={`u-${thing.uuid}`}>
                <label class="load" draggable>
                  <input type="radio" name="thing" value={thingValue(thing)} required />
                  <Waiting thing={thing} />
                </label>
                <Refused about={thingValue(thing)} />
              </div>
            ))}
          </fieldset>
          <div class="field">
            <label for="assign-gate">Gate</label>
            <select id="assign-gate" name="gate">
              <option value="">Choose a gate</option>
              {gates.map(({ uuid, name }) => (
                <option value={uuid}>{name}</option>
              ))}
            </select>
          </div>
          <Submit>Assign</Submit>
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
      {more && <p class="hint">The list shows the first {BOARD_LIMITS.unassigned}.</p>}
    </section>
  );
};

const Waiting: FC<{ thing: Thing }> = ({ thing }) => (
  <span>
    <span class="kind">{kindOf(thing)}</span> <strong>{thing.externalIdentifier}</strong>{' '}
    <span class="hint">
      {palletsOf(thing)}, since <At date={thing.createDate} />
    </span>{' '}
    <Leaves thing={thing} />
  </span>
);
