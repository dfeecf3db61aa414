import { EXIT, OperatorError } from '#server/operator-error.ts';

/** Why the shared store cannot be used. Never holds its address, which may contain a password. */
export class EngineProblem extends OperatorError {
  /** It does not go away by waiting. */
  readonly isLasting: boolean;

  constructor(finding: string, remedy: string, { isLasting = true } = {}) {
    super(isLasting ? EXIT.sharedStoreUnusable : EXIT.sharedStoreUnreachable, finding, remedy);
    this.isLasting = isLasting;
  }
}

const PASSWORD = /^(?:WRONGPASS|NOAUTH|ERR AUTH|ERR invalid password|ERR Client sent AUTH)/;

export const toEngineProblem = (error: unknown): EngineProblem => {
  if (error instanceof EngineProblem) return error;
  const { message = '', code } = error as Partial<NodeJS.ErrnoException>;
  if (PASSWORD.test(message))
    return new EngineProblem(
      'The shared store does not accept our password',
      'check the user name and the password in SHARED_STATE_URL.',
    );
  if (message.startsWith('NOPERM'))
    return new EngineProblem(
      'This user of the shared store may not run a command that we need',
      'allow it everything on the keys of this site, and INFO.',
    );
  if (message.startsWith('ERR DB index'))
    return new EngineProblem(
      'The shared store has no database of that number',
      'change the number at the end of SHARED_STATE_URL.',
    );
  if (message.includes('not allowed from script'))
    return new EngineProblem(
      'The shared store does not let a script find out which process it runs in (INFO)',
      'use a Redis or Valkey of your own, or a service that allows it.',
    );
  const [reply] = /^[A-Z]{4,}\b/.exec(message) ?? [];
  return new EngineProblem(
    `The shared store cannot be reached (${code ?? reply ?? 'no answer'})`,
    'check SHARED_STATE_URL, and that Redis or Valkey is running there.',
    { isLasting: false },
  );
};
