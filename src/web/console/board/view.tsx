import type { FC } from 'hono/jsx';
import type { Period } from '../../../core/lib/quiet.ts';
import { useWords } from '../../../messages/context.ts';
import { whenIn } from '../../../messages/duration.ts';
import { PalletId, Plate } from '../kit/badges.tsx';
import { Icon, type IconName } from '../kit/icons.tsx';
import { useZone } from '../kit/view.ts';
import { Arrived } from './arrival.tsx';
import { CompleteButton, Refused, RemoveButton, StartButton } from './forms.tsx';
import { loadValue } from './load-value.ts';
import {
  alertIcon,
  alertWords,
  Leaves,
  Live,
  LoadName,
  loadPath,
  NoGates,
  Progress,
  palletsText,
  STATES,
  StateBand,
  topicsData,
  upTo,
  whereTo,
  wrongName,
  wrongWords,
} from './parts.tsx';
import {
  type BoardGate,
  type GateState,
  gateStateOf,
  gateTopics,
  isReady,
  latenessOf,
  type Rights,
} from './rules.ts';
import { BOARD_LIMITS, type Board } from './store.ts';
import { ASSIGN, Unassigned } from './unassigned-view.tsx';

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

/** The number of gates in each state and of late ones, with a link to the first. The script updates the numbers. */
const Summary: FC<{ gates: readonly BoardGate[]; states: readonly GateState[] }> = ({ gates, states }) => {
  const { t } = useWords();
  const now = Date.now();
  const late = gates.filter((gate) => latenessOf(gate, now) > 0);
  return (
    <ul class="summary" aria-label={t('board.byState')}>
      <Count of="LATE" icon="clock" gates={late} label={t('day.late')} />
      {(Object.keys(STATES) as GateState[])
        .filter((state) => state !== 'OUT')
        .map((state) => (
          <Count
            of={state}
            icon={STATES[state]}
            gates={gates.filter((_, index) => states[index] === state)}
            label={t(`state.${state}`)}
          />
        ))}
    </ul>
  );
};

const Count: FC<{ of: string; icon: IconName; gates: readonly BoardGate[]; label: string }> = ({
  of,
  icon,
  gates,
  label,
}) => (
  <li>
    <a
      href={gates[0] ? `#gate-${gates[0].uuid}` : undefined}
      data-count={of}
      data-some={gates[0] ? 'yes' : 'no'}
      id={`sum-${of}`}
    >
      <Icon name={icon} /> <b>{gates.length}</b> {label}
    </a>
  </li>
);

const GateCard: FC<{ gate: BoardGate; state: GateState; rights: Rights }> = ({ gate, state, rights }) => {
  const words = useWords();
  const { t } = words;
  const late = latenessOf(gate, Date.now());
  const active = upTo(gate.active, BOARD_LIMITS.active);
  const waiting = upTo(gate.waiting, BOARD_LIMITS.waiting);
  return (
    <article
      class="gate"
      id={`gate-${gate.uuid}`}
      data-part={gate.uuid}
      data-state={state}
      data-late={late > 0 ? '' : undefined}
      data-topics={topicsData(gateTopics(gate))}
    >
      <header class="gate-head">
        <h2>
          <a class="gate-title" href={`/app/gate/${gate.uuid}`}>
            <Plate gate={gate} /> {gate.name}
          </a>
        </h2>
        <div class="bands">
          <StateBand state={state} wrong={gate.wrong} />
          {late > 0 && (
            <p class="state is-late">
              <Icon name="clock" /> {whenIn(words, 'when.late', late)}
            </p>
          )}
        </div>
      </header>
      {rights.operate && (
        <button type="submit" class="button quiet here" form={ASSIGN} name="here" value={gate.uuid}>
          {t('board.assignTo', { gate: gate.name })}
        </button>
      )}
      <GateTrouble gate={gate} rights={rights} />
      {active.shown.map((thing) => (
        <div class="gate-thing" id={`t-${thing.uuid}`}>
          <p>
            <LoadName thing={thing} /> <Leaves thing={thing} /> <Arrived at={thing.arrivalDate} />
          </p>
          <Progress counts={thing.counts} label={thing.externalIdentifier} />
          {rights.load && isReady(thing) && <CompleteButton thing={thing} />}
          <Refused about={loadValue(thing)} />
        </div>
      ))}
      {active.more && (
        <p class="more">{t('board.moreActive', { count: gate.totals.active - active.shown.length })}</p>
      )}
      {waiting.shown.map((thing, index) => (
        <div class="gate-next" id={`n-${thing.uuid}`}>
          <p>
            <span class="hint">{t('board.next')}</span> <LoadName thing={thing} />{' '}
            <span class="hint">{palletsText(words, thing)}</span> <Leaves thing={thing} />{' '}
            <Arrived at={thing.arrivalDate} />
          </p>
          {rights.load && index === 0 && gate.active.length === 0 && <StartButton thing={thing} />}
          <Refused about={loadValue(thing)} />
        </div>
      ))}
      {waiting.more && (
        <p class="more">{t('board.moreWaiting', { count: gate.totals.waiting - waiting.shown.length })}</p>
      )}
    </article>
  );
};

/** The latest wrong pallet or alert of a gate, and the number of others. */
const GateTrouble: FC<{ gate: BoardGate; rights: Rights }> = ({ gate, rights }) => {
  const { wrong, alerts, totals } = gate;
  const [pallet] = wrong;
  const [alert] = alerts;
  const words = useWords();
  const { t } = words;
  const message = alert ? alertWords(words, alert, { gate: gate.name, zone: useZone() }) : '';
  const others = Math.max(totals.wrong - 1, 0) + Math.max(totals.alerts - 1, 0);
  return (
    <>
      {pallet && (
        <div
          class="gate-wrong"
          id={`w-${pallet.recordUuid}`}
          data-announce={wrongWords(words, pallet, gate.name)}
          data-page={loadPath(pallet)}
        >
          <p>
            <strong>
              <PalletId id={wrongName(words, pallet)} />
            </strong>{' '}
            {whereTo(words, pallet)}
          </p>
          {rights.mark && <RemoveButton wrong={pallet} />}
          <Refused about={pallet.recordUuid} />
        </div>
      )}
      {alert && (
        <p
          class="gate-alerts"
          id={`a-${alert.uuid}`}
          data-announce={t('gate.at', { gate: gate.name, message })}
          data-page={`/app/alert/${alert.uuid}`}
        >
          <Icon name={alertIcon(alert)} /> {message}
        </p>
      )}
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
