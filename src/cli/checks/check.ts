import { OperatorError } from '#server/operator-error.ts';

/** What was found out about one thing, and what to do if it is not as it should be. */
export type Check = {
  readonly what: string;
  readonly ok: boolean;
  readonly finding: string;
  readonly remedy?: string | undefined;
};

export const good = (what: string, finding: string): Check => ({ what, ok: true, finding });

export const problem = (what: string, finding: string, remedy: string | undefined): Check => ({
  what,
  ok: false,
  finding,
  remedy,
});

/** For what refuses by itself if something is wrong, as it does when the server starts. */
export const checkByUsing = async (what: string, use: () => Check | Promise<Check>): Promise<Check> => {
  try {
    return await use();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return problem(what, error.finding, error.remedy);
  }
};
