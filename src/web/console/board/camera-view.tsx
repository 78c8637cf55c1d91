import type { FC } from 'hono/jsx';
import { useWords } from '../../../messages/context.ts';
import { Plate } from '../../ui/parts/badges.tsx';
import { Icon } from '../../ui/parts/icons.tsx';
import { BadgeBox, PageUser } from '../tablet/page-user.tsx';
import { Live } from './board-parts.tsx';
import { OfflineStrip, ScanAnswer, ScanBox, ScanChoices, Strips, Toggles } from './gate-frame.tsx';
import { Hazard } from './gate-hazard.tsx';
import { HeldList } from './gate-held.tsx';
import type { GatePage } from './gate-store.ts';
import { gateTitle } from './gate-view.tsx';
import { badgeTopics, gateTopics, type Rights, sumOf } from './rules.ts';

/** Scanning at a gate with the camera of a phone or tablet. Without scripts, users can type a number. */
export const CameraView: FC<{ page: GatePage; rights: Rights }> = ({ page, rights }) => {
  const { gate } = page;
  const { wrong } = gate;
  const { loaded, total } = sumOf(gate);
  const words = useWords();
  const { t, number } = words;
  return (
    <Live
      sequenceNumber={page.sequenceNumber}
      title={gateTitle(words, gate)}
      topics={[...gateTopics(gate), ...badgeTopics(page)]}
      class="gate-page camera-page"
    >
      {wrong.length > 0 && <Hazard wrong={wrong} gate={gate} rights={rights} />}
      <header class="ghead">
        <Plate gate={gate} />
        <div class="who">
          <h1>{gate.name}</h1>
          <p class="sub">
            {gate.active.length > 0 ? `${number(loaded)} / ${number(total)}` : t('gate.nothingLoading')}
          </p>
        </div>
        <Toggles gate={gate} />
      </header>
      <HeldList page={page} />
      <OfflineStrip />
      <Strips page={page} rights={rights}>
        <PageUser />
      </Strips>
      <div class="aim" data-own>
        <video id="camera" playsinline muted aria-label={t('camera.picture')} />
        <p id="camera-state" role="status">
          {t('camera.needsScripts')}
        </p>
        <button type="button" class="tog" id="torch" aria-pressed="false" hidden>
          <Icon name="torch" />
          <span>{t('camera.torch')}</span>
        </button>
        <ScanAnswer />
      </div>
      <div class="csheet">
        <ScanChoices />
        <ul class="rows" id="reads" aria-label={t('camera.readings')} tabindex={0} data-own />
        <div class="cfoot">
          <BadgeBox />
          {rights.mark && <ScanBox gate={gate} />}
          <a class="button" href={`/app/gate/${gate.uuid}`}>
            {t('gate.done')}
          </a>
        </div>
      </div>
    </Live>
  );
};
