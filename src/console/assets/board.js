import './board-assign.js';
import { soundSwitch, wakeSwitch } from './board-switches.js';
import { hooks } from './live.js';

const sound = soundSwitch(document.getElementById('sound'));
wakeSwitch(document.getElementById('wake'));
hooks.fresh = () => sound.play();
