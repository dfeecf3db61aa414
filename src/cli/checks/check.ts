import { asOperatorError } from '../failure.ts';
import type { State } from '../output.ts';

/** The result of one check, and what to do if something is wrong. */
export type Check = Finding & { readonly what: string };
export type Finding = {
  readonly state: State;
  readonly finding: string;
  readonly remedy?: string | undefined;
};

/** A problem that visitors do not notice. One that they do is thrown, with `failed`. */
export const warning = (finding: string, remedy: string): Finding => ({ state: 'warning', finding, remedy });

/** `look` returns a string if all is well. It may throw the errors that would end other commands. */
export const check = async (
  what: string,
  look: () => string | Finding | Promise<string | Finding>,
): Promise<Check> => {
  try {
    const found = await look();
    return typeof found === 'string' ? { what, state: 'ok', finding: found } : { what, ...found };
  } catch (error) {
    const expected = asOperatorError(error);
    if (expected === null) throw error;
    return { what, state: 'failed', finding: expected.finding, remedy: expected.remedy };
  }
};
