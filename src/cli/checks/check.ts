import { asOperatorError } from '../failure.ts';
import type { State } from '../output.ts';

/** What was found out about one thing, and what to do if it is not as it should be. */
export type Check = Finding & { readonly what: string };
export type Finding = {
  readonly state: State;
  readonly finding: string;
  readonly remedy?: string | undefined;
};

/** `look` returns a string if all is well, and may throw what would end another command. */
export const check = async (
  what: string,
  look: () => string | Finding | Promise<string | Finding>,
): Promise<Check> => {
  try {
    const found = await look();
    return typeof found === 'string' ? { what, state: 'ok', finding: found } : { what, ...found };
  } catch (error) {
    const expected = await asOperatorError(error);
    if (expected === null) throw error;
    return { what, state: 'failed', finding: expected.finding, remedy: expected.remedy };
  }
};
