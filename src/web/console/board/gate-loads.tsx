import type { FC } from 'hono/jsx';
import { LanguageChooser } from '../../../messages/chooser.tsx';
import { useWords } from '../../../messages/context.ts';
import { Ask } from '../../ui/confirm/confirmation.tsx';
import { ActionButton, Form, Hidden, Submit } from '../../ui/form/form.tsx';
import { Icon } from '../../ui/parts/icons.tsx';
import { ManualLink } from '../../ui/parts/manual-link.tsx';
import type { GateActions } from './actions.ts';
import { At, LoadName, palletsText, upTo } from './board-parts.tsx';
import { AuditLink, Refused, StartButton } from './forms.tsx';
import { GATE_LIMITS, type GatePage } from './gate-store.ts';
import { LoadPhotos } from './photo-button.tsx';
import { type BoardLoad, loadValue, type Rights } from './rules.ts';
import { BOARD_LIMITS } from './store.ts';

/** Rare actions: move, cancel, bring something to this gate, open the log. */
export const MoreAtGate: FC<{ page: GatePage; rights: Rights }> = ({ page, rights }) => {
  const { gate } = page;
  const { shown } = upTo(gate.active, GATE_LIMITS.active);
  const { t } = useWords();
  return (
    <>
      <button type="button" class="button quiet" popovertarget="more">
        {t('gate.more')}
      </button>
      <div class="more" id="more" popover="auto" role="dialog" aria-label={t('gate.moreHere')}>
        {shown.map((thing) => (
          <section class="row" id={`t-${thing.uuid}`}>
            <p>
              <LoadName thing={thing} />{' '}
              <span class="hint">
                {t('gate.since')} <At date={thing.activateDate} />
              </span>
            </p>
            {rights.mark && (
              <div class="actions">
                <LoadPhotos load={thing} />
                {rights.load && (
                  <a class="button quiet" href={`/app/gate/${gate.uuid}/sign/${thing.uuid}`}>
                    {t('sign.open')}
                  </a>
                )}
              </div>
            )}
            <LoadActions thing={thing} page={page} rights={rights} />
          </section>
        ))}
        <NextLoads page={page} rights={rights} />
        {!gate.deleted && rights.desk && <UnassignedLoads page={page} rights={rights} />}
        <p class="row">
          {rights.desk && (
            <a class="button quiet" href="/app/board">
              <Icon name="board" /> {t('gate.board')}
            </a>
          )}
          {rights.people && (
            <a class="button quiet" href={`/app/gate/${gate.uuid}/tablets`}>
              {t('gate.tablets')}
            </a>
          )}
          {rights.audit && <AuditLink uuid={gate.uuid} name={gate.name} />}
          <ManualLink of="loader" class="button quiet" />
          <button type="button" class="button quiet" popovertarget="more" popovertargetaction="hide">
            {t('kit.close')}
          </button>
        </p>
        <LanguageChooser path={`/app/gate/${gate.uuid}`} label={t('kit.language')} />
      </div>
    </>
  );
};

const LoadActions: FC<{ thing: BoardLoad; page: GatePage; rights: Rights }> = ({ thing, page, rights }) => (
  <>
    <div class="actions">
      {rights.operate && rights.desk && <MoveForm thing={thing} page={page} />}
      {rights.operate && rights.desk && (
        <Ask<GateActions> action="cancel" values={{ thing: loadValue(thing) }}>
          {useWords().t('gate.cancel', { kind: thing.kind, name: thing.externalIdentifier })}
        </Ask>
      )}
      {rights.audit && <AuditLink uuid={thing.uuid} name={thing.externalIdentifier} />}
    </div>
    <Refused about={loadValue(thing)} />
  </>
);

/** A form that moves something to another gate. */
const MoveForm: FC<{ thing: BoardLoad; page: GatePage }> = ({ thing, page: { gate, gates } }) => {
  const others = gates.filter(({ uuid }) => uuid !== gate.uuid);
  const id = `move-${thing.uuid}`;
  const { t } = useWords();
  return others.length === 0 ? null : (
    <Form<GateActions>
      action="assign"
      class="inline"
      label={t('gate.moveOther', { name: thing.externalIdentifier })}
    >
      <Hidden name="thing" value={loadValue(thing)} />
      <div class="field">
        <label for={id}>{t('gate.moveTo')}</label>
        <select id={id} name="gate" required>
          <option value="">{t('gate.choose')}</option>
          {others.map(({ uuid, name }) => (
            <option value={uuid}>{name}</option>
          ))}
        </select>
      </div>
      <Submit quiet>{t('gate.move')}</Submit>
    </Form>
  );
};

/** Shipments and manifests planned for this gate. */
const NextLoads: FC<{ page: GatePage; rights: Rights }> = ({ page, rights }) => {
  const { shown, more } = upTo(page.gate.waiting, GATE_LIMITS.waiting);
  const words = useWords();
  const { t } = words;
  return (
    <section aria-labelledby="next-title">
      <h2 id="next-title">{t('gate.nextHere')}</h2>
      {shown.length === 0 && <p class="hint">{t('gate.nothingAssigned')}</p>}
      {shown.map((thing, index) => (
        <div class="row" id={`n-${thing.uuid}`}>
          <p>
            <LoadName thing={thing} /> <span class="hint">{palletsText(words, thing)}</span>
          </p>
          {rights.load &&
            (page.gate.active.length > 0 ? (
              <Ask<GateActions>
                action="start"
                values={{ thing: loadValue(thing) }}
                label={words.labelled(t('gate.start'), thing.externalIdentifier)}
                quiet
              >
                {t('gate.start')}
              </Ask>
            ) : (
              index > 0 && <StartButton thing={thing} quiet />
            ))}
          <LoadActions thing={thing} page={page} rights={rights} />
        </div>
      ))}
      {more && <p class="hint">{t('gate.first', { count: GATE_LIMITS.waiting })}</p>}
    </section>
  );
};

/** Shipments and manifests without a gate, with a form that assigns them to this gate. */
const UnassignedLoads: FC<{ page: GatePage; rights: Rights }> = ({ page: { gate, unassigned }, rights }) => {
  const { shown, more } = upTo(unassigned, BOARD_LIMITS.unassigned);
  const words = useWords();
  const { t } = words;
  return (
    <section aria-labelledby="waiting-title">
      <h2 id="waiting-title">{t('gate.waiting')}</h2>
      {shown.length === 0 && <p class="hint">{t('gate.nothingWaits')}</p>}
      {shown.map((thing) => (
        <div class="row" id={`u-${thing.uuid}`}>
          <p>
            <LoadName thing={thing} /> <span class="hint">{palletsText(words, thing)}</span>
          </p>
          {rights.operate && (
            <ActionButton<GateActions>
              action="assign"
              values={{ thing: loadValue(thing), gate: gate.uuid }}
              quiet
              label={words.labelled(t('gate.bring'), thing.externalIdentifier)}
            >
              {t('gate.bring')}
            </ActionButton>
          )}
          <Refused about={loadValue(thing)} />
        </div>
      ))}
      {more && <p class="hint">{t('gate.first', { count: BOARD_LIMITS.unassigned })}</p>}
    </section>
  );
};
