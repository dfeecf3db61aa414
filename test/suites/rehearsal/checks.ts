import { setTimeout } from 'node:timers/promises';

export const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Indented, so that the output of a machine can be told from ours. */
export const quote = (text: string): void => {
  if (text.trim() !== '') say(text.trimEnd().replaceAll(/^/gm, '  '));
};

/** Ends the part if it does not hold; what holds is printed too. */
export const demand = (what: string, holds: boolean): void => {
  if (!holds) throw new Error(`Not so: ${what}.`);
  say(`  ✓ ${what}`);
};

const tooLate = (minutes: number, what: string): Error =>
  new Error(`Not within ${minutes} minutes: ${what}.`);

export const withLimit = <T>(minutes: number, what: string, promise: Promise<T>): Promise<T> => {
  const late = setTimeout(minutes * 60_000, undefined, { ref: false }).then(() => {
    throw tooLate(minutes, what);
  });
  return Promise.race([promise, late]);
};

export const until = async (minutes: number, what: string, holds: () => boolean): Promise<void> => {
  const end = performance.now() + minutes * 60_000;
  while (!holds()) {
    if (performance.now() > end) throw tooLate(minutes, what);
    await setTimeout(500);
  }
  say(`  ✓ ${what}`);
};
