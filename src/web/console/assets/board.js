import './modules/board-assign.js';
import { hooks } from './live.js';
import { placeCards } from './modules/board-columns.js';
import { noticeSwitch } from './modules/board-notices.js';
import { nameSwitches, soundSwitch, wakeSwitch } from './modules/board-switches.js';

const sound = soundSwitch(document.getElementById('sound'));
const notify = noticeSwitch(document.getElementById('notify'));
hooks.newProblems = (problems) => {
  sound();
  notify(problems);
};
wakeSwitch(document.getElementById('wake'));
nameSwitches(document.getElementById('open-switches'), document.getElementById('switches'));
hooks.afterUpdate = placeCards;
placeCards();
