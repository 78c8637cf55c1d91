import type { FC } from 'hono/jsx';
import { WithTimes } from '../kit/components.tsx';
import { Do, Form } from '../kit/form.tsx';
import { Icon } from '../kit/icons.tsx';
import { useShown } from '../kit/view.ts';
import { Whose } from '../tablet/whose.tsx';
import { Refused } from './forms.tsx';
import { GATE_LIMITS, type GatePage } from './gate-store.ts';
import { At } from './parts.tsx';
import { type BoardGate, troubleOf } from './rules.ts';
import type { Rights } from './view.tsx';

/** Whether this screen is live, and whether it can be heard. */
export const Toggles: FC<{ gate: BoardGate }> = ({ gate }) => (
  <div class="toggles" data-own>
    <a class="tog feed" id="again" href={`/app/gate/${gate.uuid}`}>
      <Icon name="live" class="if-live" />
      <Icon name="offline" class="if-not" />
      <span id="feed" role="status">
        Not live
      </span>
      <span class="hidden">Refresh</span>
    </a>
    <button type="button" class="tog" id="sound" hidden>
      <Icon name="sound" />
      <span>Sound</span>
    </button>
  </div>
);

/** What is amiss beside the work: never its state. */
export const Strips: FC<{ page: GatePage; rights: Rights }> = ({ page: { gate }, rights }) => {
  const { alerts } = troubleOf(gate);
  return (
    <div class="strips">
      <Whose />
      <p class="strip dark" id="offline" role="status" hidden data-own />
      {alerts.slice(0, GATE_LIMITS.alerts).map((alert) => (
        <div class="strip" id={`a-${alert.uuid}`} data-announce={`At ${gate.name}: ${alert.message}`}>
          <Icon name="camera" />
          <p>
            <WithTimes text={alert.message} />{' '}
            <small>
              {alert.alertType === 'DEVICE_OFFLINE' ? (
                'Scan by hand what it misses.'
              ) : (
                <At date={alert.date} />
              )}
            </small>
          </p>
          {rights.mark && (
            <Do action="resolve" values={{ alert: alert.uuid }} quiet label={`Done: ${alert.message}`}>
              Done
            </Do>
          )}
          <Refused about={alert.uuid} />
        </div>
      ))}
    </div>
  );
};

/** The box that always listens: what a hand scanner types ends with Enter. */
export const ScanBox: FC<{ gate: BoardGate; camera?: boolean }> = ({ gate, camera }) => (
  <Form action="scan" to={`/app/gate/${gate.uuid}`} class="scanbox">
    <Icon name="scan" />
    <label class="hidden" for="scan">
      Scan a pallet
    </label>
    <input
      id="scan"
      name="scan"
      placeholder="Scan next pallet"
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      maxlength={255}
      enterkeyhint="send"
      required
      autofocus
    />
    <button type="submit" class="button quiet">
      Enter
    </button>
    {camera && (
      <a class="button quiet to-camera" href={`/app/gate/${gate.uuid}/scan`}>
        <Icon name="camera" /> <span>Camera</span>
      </a>
    )}
  </Form>
);

/** What became of the last scan: in a place that is always there. */
export const Answer: FC = () => {
  const { flash, failed } = useShown();
  const text = failed?.refusal.detail ?? flash;
  return (
    <div
      class={failed ? 'ans bad' : text ? 'ans told' : 'ans none'}
      id="answer"
      role={failed ? 'alert' : 'status'}
      data-own
    >
      {text && <p>{text}</p>}
    </div>
  );
};
