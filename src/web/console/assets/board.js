import './modules/board-assign.js';
import { hooks } from './live.js';
import { soundSwitch, wakeSwitch } from './modules/board-switches.js';

hooks.newProblems = soundSwitch(document.getElementById('sound'));
wakeSwitch(document.getElementById('wake'));
