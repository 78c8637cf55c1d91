/**
 * Alarm tones, each as frequency in hertz and start in seconds. They fall in two pairs, because no truck
 * makes such a sound.
 */
export const ALARM = [
  [988, 0],
  [659, 0.22],
  [988, 0.5],
  [659, 0.72],
];

/**
 * Tones after a scan or press, in the same format. Results differ in pitch and in the number of tones. `ok` is one high
 * tone, `repeated` two. `queued` and `told` are one tone of middle height, `unknown` is three, and `wrong` is two low tones.
 */
export const RESULTS = {
  ok: [[1_319, 0]],
  wrong: [
    [220, 0],
    [196, 0.2],
  ],
  unknown: [
    [440, 0],
    [440, 0.2],
    [440, 0.4],
  ],
  queued: [[880, 0]],
  repeated: [
    [1_319, 0],
    [1_047, 0.2],
  ],
  told: [[587, 0]],
};
const TONE_S = 0.18;
/** End of the fade-out: an exponential ramp must not reach 0. */
const SILENT = 0.001;

/** Play tones in a running AudioContext. `volume` is from 0 to 1. */
export function play(context, tones, volume) {
  for (const [frequency, start] of tones) {
    const [tone, gain] = [context.createOscillator(), context.createGain()];
    const from = context.currentTime + start;
    tone.type = 'square';
    tone.frequency.value = frequency;
    gain.gain.setValueAtTime(volume, from);
    gain.gain.exponentialRampToValueAtTime(SILENT, from + TONE_S);
    tone.connect(gain).connect(context.destination);
    tone.start(from);
    tone.stop(from + TONE_S);
  }
}
