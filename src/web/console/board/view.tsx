import type { FC } from 'hono/jsx';
import type { Period } from '../../../core/lib/quiet.ts';
import { kindOf } from '../../../dispatch/alert/rules.ts';
import type { GateReference } from '../../../dispatch/gate/rules.ts';
import { useWords } from '../../../messages/context.ts';
import { Form, Submit } from '../../ui/form/form.tsx';
import { Loaded, PalletId, Plate, WithPallets } from '../../ui/parts/badges.tsx';
import { Icon, type IconName } from '../../ui/parts/icons.tsx';
import { useZone } from '../../ui/parts/view.ts';
import type { BoardActions } from './actions.ts';
import { Arrived } from './arrival.tsx';
import {
  At,
  alertWords,
  kindName,
  Leaves,
  Live,
  loadPath,
  NoGates,
  palletsText,
  STATES,
  StateBand,
  topicsData,
  upTo,
  whereTo,
  wrongName,
  wrongWords,
} from './board-parts.tsx';
import { CompleteButton, Refused, RemoveButton, StartButton } from './forms.tsx';
import {
  type BoardGate,
  type BoardLoad,
  type GateState,
  gateStateOf,
  gateTopics,
  isReady,
  latestOf,
  loadValue,
  type OpenAlert,
  progressOf,
  type Rights,
  waitingInSight,
  waitingTopics,
} from './rules.ts';
import { BOARD_LIMITS, type Board } from './store.ts';

/** The form that assigns a gate. It includes the buttons on the cards. */
const ASSIGN = 'assign';

/** Loads without a gate: choose one, then a gate from the list or on its card. */
const Unassigned: FC<{
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

/** The board: all gates, and loads without a gate. Or only the requested part of it. */
export const BoardView: FC<{
  board: Board;
  rights: Rights;
  whole: boolean;
  quiet: Period | null;
}> = ({ board, rights, whole, quiet }) => {
  const { shown, more } = upTo(board.gates, BOARD_LIMITS.gates);
  const states = shown.map(gateStateOf);
  const { t } = useWords();
  return (
    <Live
      sequenceNumber={board.sequenceNumber}
      title={t('gate.board')}
      topics={[]}
      class="board"
      quiet={quiet}
    >
      {whole && <Summary gates={shown} states={states} />}
      <section class="gates" aria-label={t('board.gates')}>
        {whole && shown.length === 0 && <NoGates mayCreate={rights.site} />}
        {shown.map((gate, index) => (
          <GateCard gate={gate} state={states[index]!} rights={rights} />
        ))}
      </section>
      {more && (
        <p>
          {t('board.limit', { count: BOARD_LIMITS.gates })} <a href="/app/gate">{t('board.all')}</a>
        </p>
      )}
      {board.waiting && <Unassigned {...board.waiting} rights={rights} />}
    </Live>
  );
};

/** The number of gates in each state, of late ones and of wrong pallets, with a link to the first gate. The script updates the numbers. */
const Summary: FC<{ gates: readonly BoardGate[]; states: readonly GateState[] }> = ({ gates, states }) => {
  const { t } = useWords();
  const now = Date.now();
  const late = gates.filter((gate) => latestOf(gate, now));
  return (
    <ul class="summary" aria-label={t('board.byState')}>
      <Count
        of="LATE"
        icon="clock"
        gates={late}
        count={late.length}
        label={t('board.gatesLate', { count: late.length })}
      />
      {(Object.keys(STATES) as GateState[])
        .filter((state) => state !== 'OUT')
        .map((state) => {
          const own = gates.filter((_, index) => states[index] === state);
          const count = state === 'WRONG' ? sum(own.map(({ totals }) => totals.wrong)) : own.length;
          return (
            <Count
              of={state}
              icon={STATES[state]}
              gates={own}
              count={count}
              label={state === 'WRONG' ? t('board.wrongPallets', { count }) : t(`state.${state}`)}
            />
          );
        })}
    </ul>
  );
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const Count: FC<{
  of: string;
  icon: IconName;
  gates: readonly BoardGate[];
  count: number;
  label: string;
}> = ({ of, icon, gates, count, label }) => (
  <li>
    <a
      href={gates[0] ? `#gate-${gates[0].uuid}` : undefined}
      data-count={of}
      data-some={gates[0] ? 'yes' : 'no'}
      id={`sum-${of}`}
    >
      <Icon name={icon} /> <b>{count}</b> <span>{label}</span>
    </a>
  </li>
);

const GateCard: FC<{ gate: BoardGate; state: GateState; rights: Rights }> = ({ gate, state, rights }) => {
  const words = useWords();
  const { t } = words;
  const now = Date.now();
  const active = gate.active.slice(0, BOARD_LIMITS.active);
  const waiting = waitingInSight(gate, now).slice(0, BOARD_LIMITS.waiting);
  return (
    <article
      class="gate"
      id={`gate-${gate.uuid}`}
      data-part={gate.uuid}
      data-state={state}
      data-late={latestOf(gate, now) && ''}
      data-wrong={gate.totals.wrong}
      data-topics={topicsData(gateTopics(gate))}
    >
      <header class="gate-head">
        <h2>
          <a class="gate-title" href={`/app/gate/${gate.uuid}`}>
            <Plate gate={gate} /> {gate.name}
          </a>
        </h2>
        <StateBand state={state} wrong={gate.wrong} />
      </header>
      {rights.operate && (
        <button type="submit" class="button quiet here" form={ASSIGN} name="here" value={gate.uuid}>
          {t('board.assignTo', { gate: gate.name })}
        </button>
      )}
      <GateTrouble gate={gate} loads={[...active, ...waiting]} rights={rights} />
      {active.map((thing) => (
        <div class="gate-thing" id={`t-${thing.uuid}`}>
          <p>
            <Truck thing={thing} />
          </p>
          {progressOf(thing.counts).total === 0 ? (
            <p class="hint">{t('board.noPallets')}</p>
          ) : (
            <Loaded {...progressOf(thing.counts)} closed={false} />
          )}
          {rights.load && isReady(thing) && <CompleteButton thing={thing} />}
          <Refused about={loadValue(thing)} />
        </div>
      ))}
      {gate.totals.active > active.length && (
        <p class="more">{t('board.moreActive', { count: gate.totals.active - active.length })}</p>
      )}
      {waiting.map((thing, index) => (
        <div class="gate-next" id={`n-${thing.uuid}`}>
          <p>
            <span class="hint">{t('board.next')}</span> <Truck thing={thing} />
          </p>
          {rights.load && index === 0 && gate.active.length === 0 && <StartButton thing={thing} quiet />}
          <Refused about={loadValue(thing)} />
        </div>
      ))}
      {gate.totals.waiting > waiting.length && (
        <p class="more">{t('board.moreWaiting', { count: gate.totals.waiting - waiting.length })}</p>
      )}
    </article>
  );
};

/** A load of a gate: its name, when it departs and how late it is, its size and who drives. */
const Truck: FC<{ thing: BoardLoad }> = ({ thing }) => (
  <>
    <a href={`/app/${thing.kind}/${thing.uuid}`} class="name">
      {thing.externalIdentifier}
    </a>{' '}
    <Leaves thing={thing} size={thing.status !== 'IN_PROGRESS' && palletsText(useWords(), thing)} />{' '}
    <Arrived at={thing.arrivalDate} />
  </>
);

/**
 * The latest wrong pallet or alert of a gate, and the number of others. The card shows how late its loads are, so alerts about
 * this are only announced.
 */
const GateTrouble: FC<{ gate: BoardGate; loads: readonly BoardLoad[]; rights: Rights }> = ({
  gate,
  loads,
  rights,
}) => {
  const { wrong, totals } = gate;
  const [pallet] = wrong;
  const isOfLoad = (alert: OpenAlert) =>
    kindOf(alert).atGate === 'LATENESS' && loads.some(({ uuid }) => uuid === alert.recordUuid);
  const late = gate.alerts.filter(isOfLoad);
  const [alert] = gate.alerts.filter((one) => !isOfLoad(one));
  const words = useWords();
  const { t } = words;
  const zone = useZone();
  const messageOf = (one: OpenAlert) => alertWords(words, one, { gate: gate.name, zone });
  const announced = (one: OpenAlert) => ({
    id: `a-${one.uuid}`,
    'data-announce': t('gate.at', { gate: gate.name, message: messageOf(one) }),
    'data-page': `/app/alert/${one.uuid}`,
  });
  const others = Math.max(totals.wrong - 1, 0) + Math.max(totals.alerts - late.length - 1, 0);
  return (
    <>
      {pallet && (
        <div
          class="gate-wrong"
          id={`w-${pallet.recordUuid}`}
          data-announce={wrongWords(words, pallet, { gate: gate.name, zone })}
          data-page={loadPath(pallet)}
        >
          <p>
            <strong>
              <PalletId id={wrongName(words, pallet)} />
            </strong>{' '}
            {whereTo(words, pallet, zone)}
          </p>
          {rights.mark && <RemoveButton wrong={pallet} />}
          <Refused about={pallet.recordUuid} />
        </div>
      )}
      {alert && (
        <p class="gate-alerts" {...announced(alert)}>
          <Icon name={kindOf(alert).icon} /> <WithPallets text={messageOf(alert)} />
        </p>
      )}
      {late.map((one) => (
        <span class="hidden" {...announced(one)} />
      ))}
      {others > 0 && (
        <p class="more">
          <a class="touch" href={`/app/gate/${gate.uuid}`}>
            {t('board.moreCount', { count: others })}
          </a>
        </p>
      )}
    </>
  );
};
