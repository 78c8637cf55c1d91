import type { FC } from 'hono/jsx';
import { Badge } from '../kit/components.tsx';
import { Do, Form, Hidden, Submit } from '../kit/form.tsx';
import { CompleteButton, MoreAboutThing, Refused, StartButton, thingValue } from './forms.tsx';
import { GATE_LIMITS, type GatePage } from './gate-store.ts';
import { At, Progress, palletsOf, ThingName, upTo } from './parts.tsx';
import { type Member, progressOf, type Thing } from './rules.ts';
import { BOARD_LIMITS } from './store.ts';
import type { Rights } from './view.tsx';

/** What is being loaded. */
export const ActiveThings: FC<{ page: GatePage; rights: Rights }> = ({ page, rights }) => {
  const { shown, more } = upTo(page.gate.active, GATE_LIMITS.active);
  return (
    <section class="card" aria-labelledby="active-title">
      <h2 id="active-title">Loading now</h2>
      {shown.length === 0 && <p class="hint">Nothing is being loaded here.</p>}
      {shown.map((thing) => (
        <article class="active-thing" id={`t-${thing.uuid}`}>
          <h3>
            <ThingName thing={thing} />
          </h3>
          <Progress counts={thing.counts} label={thing.externalIdentifier} />
          <p class="hint">
            Since <At date={thing.activateDate} />
          </p>
          {thing.notes && <p class="notes">{thing.notes}</p>}
          <Members members={page.members.filter(({ shipmentUuid }) => shipmentUuid === thing.uuid)} />
          <div class="actions">
            {rights.operate && <CompleteButton thing={thing} />}
            <MoreAboutThing thing={thing} audit={rights.audit} change={rights.operate}>
              {rights.operate && <MoveForm thing={thing} page={page} />}
            </MoreAboutThing>
          </div>
          <Refused about={thingValue(thing)} />
        </article>
      ))}
      {more && <p class="hint">The first {GATE_LIMITS.active} are shown.</p>}
    </section>
  );
};

const Members: FC<{ members: readonly Member[] }> = ({ members }) =>
  members.length < 2 ? null : (
    <ul class="members" aria-label="Manifests">
      {members.map(({ uuid, externalIdentifier, status, counts }) => {
        const { loaded, total } = progressOf(counts);
        return (
          <li>
            <a class="touch" href={`/app/manifest/${uuid}`}>
              {externalIdentifier}
            </a>{' '}
            {status === 'CANCELLED' ? <Badge status={status} /> : `${loaded} / ${total}`}
          </li>
        );
      })}
    </ul>
  );

/** Bring something to another gate. */
const MoveForm: FC<{ thing: Thing; page: GatePage }> = ({ thing, page: { gate, gates } }) => {
  const others = gates.filter(({ uuid }) => uuid !== gate.uuid);
  const id = `move-${thing.uuid}`;
  return others.length === 0 ? null : (
    <Form action="assign" class="inline" label={`Move ${thing.externalIdentifier} to another gate`}>
      <Hidden name="thing" value={thingValue(thing)} />
      <div class="field">
        <label for={id}>Move to gate</label>
        <select id={id} name="gate" required>
          <option value="">Choose a gate</option>
          {others.map(({ uuid, name }) => (
            <option value={uuid}>{name}</option>
          ))}
        </select>
      </div>
      <Submit quiet>Move</Submit>
    </Form>
  );
};

/** What is to be loaded here next. */
export const NextThings: FC<{ page: GatePage; rights: Rights }> = ({ page, rights }) => {
  const { shown, more } = upTo(page.gate.waiting, GATE_LIMITS.waiting);
  return (
    <section class="card" aria-labelledby="next-title">
      <h2 id="next-title">Next at this gate</h2>
      {shown.length === 0 && <p class="hint">Nothing is assigned.</p>}
      {shown.map((thing) => (
        <div class="row" id={`n-${thing.uuid}`}>
          <p>
            <ThingName thing={thing} /> <span class="hint">{palletsOf(thing)}</span>
          </p>
          <div class="actions">
            {rights.operate && <StartButton thing={thing} />}
            <MoreAboutThing thing={thing} audit={rights.audit} change={rights.operate}>
              {rights.operate && <MoveForm thing={thing} page={page} />}
            </MoreAboutThing>
          </div>
          <Refused about={thingValue(thing)} />
        </div>
      ))}
      {more && <p class="hint">The first {GATE_LIMITS.waiting} are shown.</p>}
    </section>
  );
};

/** What waits for a gate: this one, maybe. */
export const WaitingThings: FC<{ page: GatePage; rights: Rights }> = ({
  page: { gate, unassigned },
  rights,
}) => {
  const { shown, more } = upTo(unassigned, BOARD_LIMITS.unassigned);
  return (
    <section class="card" aria-labelledby="waiting-title">
      <h2 id="waiting-title">Waiting for a gate</h2>
      {shown.length === 0 && <p class="hint">Nothing waits.</p>}
      {shown.map((thing) => (
        <div class="row" id={`u-${thing.uuid}`}>
          <p>
            <ThingName thing={thing} /> <span class="hint">{palletsOf(thing)}</span>
          </p>
          {rights.operate && (
            <Do
              action="assign"
              values={{ thing: thingValue(thing), gate: gate.uuid }}
              quiet
              label={`Bring here: ${thing.externalIdentifier}`}
            >
              Bring here
            </Do>
          )}
          <Refused about={thingValue(thing)} />
        </div>
      ))}
      {more && <p class="hint">The first {BOARD_LIMITS.unassigned} are shown.</p>}
    </section>
  );
};
