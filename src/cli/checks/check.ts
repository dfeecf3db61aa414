import { OperatorError } from '#server/operator-error.ts';
import type { State } from '../output.ts';

/** What was found out about one thing, and what to do if it is not as it should be. */
export type Check = Finding & { readonly what: string };
export type Finding = {
  readonly state: State;
  readonly finding: string;
  readonly remedy?: string | undefined;
};

/** `look` returns a string if all is well, and may throw the refusal that the server would start with. */
export const check = async (
  what: string,
  look: () => string | Finding | Promise<string | Finding>,
): Promise<Check> => {
  try {
    const found = await look();
    return typeof found === 'string' ? { what, state: 'ok', finding: found } : { what, ...found };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { what, state: 'failed', finding: error.finding, remedy: error.remedy };
  }
};
