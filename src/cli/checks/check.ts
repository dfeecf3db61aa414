import { OperatorError } from '#server/operator-error.ts';
import type { State } from '../output.ts';

/** What was found out about one thing, and what to do if it is not as it should be. */
export type Check = {
  readonly what: string;
  readonly state: State;
  readonly finding: string;
  readonly remedy?: string | undefined;
};

/** `look` gives back what it found, or refuses as the server does at its start if something is wrong. */
export const check = async (what: string, look: () => string | Promise<string>): Promise<Check> => {
  try {
    return { what, state: 'ok', finding: await look() };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { what, state: 'failed', finding: error.finding, remedy: error.remedy };
  }
};
