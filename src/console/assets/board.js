import './board-assign.js';
import { soundSwitch, wakeSwitch } from './board-switches.js';
import { hooks } from './live.js';

hooks.fresh = soundSwitch(document.getElementById('sound'));
wakeSwitch(document.getElementById('wake'));
