import type { CommandContext } from '../command.ts';
import { asOperatorError } from '../failure.ts';
import type { State } from '../output.ts';

export type Check = Finding & { readonly what: string };

export type Finding = {
  /** If it is not about what was looked at. */
  readonly what?: string;
  readonly state: State;
  readonly finding: string;
  readonly remedy?: string | undefined;
};

/** A text if all is well; nothing if there is nothing to say. */
export type Found = string | Finding | readonly Finding[];

export type Checks = readonly (readonly [
  what: string,
  look: (context: CommandContext) => Found | Promise<Found>,
])[];

/** A problem that visitors do not notice. One that they do is thrown, with `failed`. */
export const warning = (finding: string, remedy: string): Finding => ({ state: 'warning', finding, remedy });

/** A look may throw the errors that would end other commands. */
export const runChecks = async (checks: Checks, context: CommandContext): Promise<Check[]> => {
  const done: Check[] = [];
  for (const [what, look] of checks) {
    try {
      const found = await look(context);
      const all = typeof found === 'string' ? [{ state: 'ok' as const, finding: found }] : [found].flat();
      for (const one of all) done.push({ what, ...one });
    } catch (error) {
      const expected = asOperatorError(error);
      if (expected === null) throw error;
      const { finding, remedy } = expected;
      done.push({ what, state: 'failed', finding, remedy });
    }
  }
  return done;
};
