import { asOperatorError } from '../failure.ts';
import type { State } from '../output.ts';

export type Check = Finding & { readonly what: string };
export type Finding = {
  readonly state: State;
  readonly finding: string;
  readonly remedy?: string | undefined;
};

/** A problem that visitors do not notice. One that they do is thrown, with `failed`. */
export const warning = (finding: string, remedy: string): Finding => ({ state: 'warning', finding, remedy });

/** `look` may throw the errors that would end other commands. */
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
