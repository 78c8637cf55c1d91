import { focusScanBox } from './scan-box.js';

/** The wrong pallets that the user has silenced. */
let silenced = new Set();
const wrongNow = () => [...document.querySelectorAll('#wrong [data-announce]')].map(({ id }) => id);

/** Repeat the alarm while a wrong pallet is on the truck that nobody has silenced. */
export function updateAlarm(alarm) {
  const wrong = wrongNow();
  silenced = new Set(wrong.filter((id) => silenced.has(id)));
  if (wrong.some((id) => !silenced.has(id))) alarm.ring();
  else alarm.silence();
  const silence = document.getElementById('silence');
  if (silence) silence.hidden = !alarm.rings;
}

/** Let the button of the warning silence the alarm. */
export function bindSilence(alarm) {
  document.addEventListener('click', (event) => {
    if (!event.target.closest?.('#silence')) return;
    silenced = new Set(wrongNow());
    updateAlarm(alarm);
    focusScanBox();
  });
}
