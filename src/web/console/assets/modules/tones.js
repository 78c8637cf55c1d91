/** Tones of something wrong: frequency in hertz and start in seconds of each. Two falling pairs, as no truck makes them. */
export const ALARM = [
  [988, 0],
  [659, 0.22],
  [988, 0.5],
  [659, 0.72],
];
const TONE_S = 0.18;
/** A volume must not reach 0 where it falls exponentially. */
const SILENT = 0.001;

/** Play tones in an AudioContext that runs; `volume` is from 0 to 1. */
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
