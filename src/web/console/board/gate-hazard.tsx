import type { FC } from 'hono/jsx';
import { useWords } from '../../../messages/context.ts';
import { lastFour, PalletId, Plate } from '../../ui/parts/badges.tsx';
import { Icon } from '../../ui/parts/icons.tsx';
import { useZone } from '../../ui/parts/view.ts';
import { At, whereTo, wrongName, wrongWords } from './board-parts.tsx';
import { Refused, RemoveButton } from './forms.tsx';
import { type BoardGate, isUnknown, progressOf, type Rights, type WrongPallet } from './rules.ts';

/** A warning over the whole screen that stays until the wrong pallet is off the truck. */
export const Hazard: FC<{ wrong: WrongPallet[]; gate: BoardGate; rights: Rights }> = ({
  wrong,
  gate,
  rights,
}) => {
  const pallet = wrong[0]!;
  const unknown = isUnknown(pallet);
  const [thing] = gate.active;
  const words = useWords();
  const { t } = words;
  const zone = useZone();
  const name = wrongName(words, pallet);
  return (
    <section
      class="haz"
      id="wrong"
      role="alertdialog"
      aria-labelledby="wrong-title"
      aria-describedby="wrong-do"
    >
      <div class="tape" aria-hidden="true" />
      <div class="in">
        <p class="hd">
          <Plate gate={gate} />
          <span>
            {gate.name}
            {thing && `, ${thing.externalIdentifier}, `}
            {thing && `${progressOf(thing.counts).loaded} / ${progressOf(thing.counts).total}`}
          </span>
          {wrong.length > 1 && <span class="r">{t('gate.oneOf', { count: wrong.length })}</span>}
        </p>
        <p class="also" id="also" role="status" hidden data-own />
        <h2 id="wrong-title">
          <Icon name="stop" /> {t(unknown ? 'loading.UNKNOWN_LOADING' : 'gate.wrongPallet')}
        </h2>
        <p class="do" id="wrong-do">
          {t('gate.takeOff')}
        </p>
        <div
          class="pal"
          id={`w-${pallet.recordUuid}`}
          data-announce={wrongWords(words, pallet, { gate: gate.name, zone })}
        >
          <b class="d4">{lastFour(pallet.wmsId ?? String(pallet.markerCode ?? ''))}</b>
          <div>
            <PalletId id={name} />
            <p>{whereTo(words, pallet, zone)}</p>
            <p>
              {t('gate.read')} <At date={pallet.date} />{' '}
              {t('gate.readInto', { name: pallet.manifestExternalId })}
              {pallet.wmsId !== null &&
                pallet.markerCode !== null &&
                `, ${t('gate.marker', { code: String(pallet.markerCode) })}`}
            </p>
          </div>
        </div>
        {wrong.slice(1).map((other) => (
          <span
            class="hidden"
            id={`w-${other.recordUuid}`}
            data-announce={wrongWords(words, other, { gate: gate.name, zone })}
          />
        ))}
        <Refused about={pallet.recordUuid} />
        <div class="go2">
          <button type="button" class="button" id="silence" hidden>
            <Icon name="mute" /> {t('gate.silence')}
          </button>
          {rights.mark ? (
            <RemoveButton wrong={pallet} />
          ) : (
            <a class="button" href="/app/board">
              {t('gate.toBoard')}
            </a>
          )}
        </div>
      </div>
      <div class="tape" aria-hidden="true" />
    </section>
  );
};
