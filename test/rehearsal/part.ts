import { setTimeout } from 'node:timers/promises';

/** One part of the rehearsal, on its own: what another part does or leaves does not matter to it. */
export type Part = {
  readonly name: string;
  /** Why it cannot be had on this machine, else null. */
  readonly whyNot: () => string | null;
  readonly rehearse: () => Promise<void>;
};

type Outcome = { readonly name: string; readonly state: 'ok' | 'failed' | 'skipped'; readonly note: string };

export const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Indented, so that what a machine says stands apart from what we say of it. */
export const quote = (text: string): void => {
  if (text.trim() !== '') say(text.trimEnd().replaceAll(/^/gm, '  '));
};

/** Ends the part if it does not hold; what holds is told too. */
export const demand = (what: string, holds: boolean): void => {
  if (!holds) throw new Error(`Not so: ${what}.`);
  say(`  ✓ ${what}`);
};

/** Nothing is waited for for ever. */
export const withLimit = async <T>(minutes: number, what: string, promise: Promise<T>): Promise<T> => {
  const limit = new AbortController();
  const late = setTimeout(minutes * 60_000, undefined, { signal: limit.signal }).then(
    () => {
      throw new Error(`Waited for ${minutes} minutes in vain: ${what}.`);
    },
    () => promise,
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    limit.abort();
  }
};

/** Asks again and again, every half second. */
export const until = async (minutes: number, what: string, holds: () => boolean): Promise<void> => {
  const end = performance.now() + minutes * 60_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`Waited for ${minutes} minutes in vain: ${what}.`);
    await setTimeout(500);
  }
  say(`  ✓ ${what}`);
};

const runPart = async ({ name, whyNot, rehearse }: Part): Promise<Outcome> => {
  const reason = whyNot();
  if (reason !== null) return { name, state: 'skipped', note: reason };
  say(`\n## ${name}`);
  const began = performance.now();
  try {
    await rehearse();
    return { name, state: 'ok', note: `${Math.round((performance.now() - began) / 1_000)} s` };
  } catch (error) {
    quote(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return {
      name,
      state: 'failed',
      note: error instanceof Error ? (error.message.split('\n')[0] ?? '') : '',
    };
  }
};

/** One after the other, and in the end how each of them went. False if one failed. */
export const runParts = async (parts: readonly Part[]): Promise<boolean> => {
  const outcomes: Outcome[] = [];
  for (const part of parts) outcomes.push(await runPart(part));
  const count = (state: Outcome['state']): number => outcomes.filter((one) => one.state === state).length;
  say('\n## Summary');
  for (const { name, state, note } of outcomes) say(`${state.padEnd(8)} ${name}: ${note}`);
  say(`${count('ok')} went through, ${count('failed')} failed, ${count('skipped')} were skipped.`);
  return count('failed') === 0;
};
