// Sounds, if you want them: one for a move, one for a capture, one for a check, one for a refusal. No files: two notes each.

const TONES = { move: [440, 0], capture: [220, 330], check: [660, 880], refused: [160, 0] };
const LOUDNESS = 0.08;
const LENGTH = 0.12; // seconds of a note

let context = null;

/** Play what a line of the log is about. */
export function playSound(line) {
  context ??= new AudioContext();
  const kind = line.refused ? "refused" : line.checks.length ? "check" : line.taken ? "capture" : "move";
  TONES[kind].filter(Boolean).forEach((pitch, number) => playNote(pitch, context.currentTime + number * LENGTH));
}

function playNote(pitch, start) {
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(LOUDNESS, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + LENGTH);
  tone.connect(volume).connect(context.destination);
  tone.start(start);
  tone.stop(start + LENGTH);
}
