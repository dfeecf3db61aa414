import { EXIT, OperatorError } from '#server/operator-error.ts';

/** Why the shared store cannot be used. Never holds its address, which may contain a password. */
export class RedisProblem extends OperatorError {
  /** Waiting does not help. */
  readonly isLasting: boolean;

  constructor(finding: string, remedy: string, { isLasting = true } = {}) {
    super(isLasting ? EXIT.sharedStoreUnusable : EXIT.sharedStoreUnreachable, finding, remedy);
    this.isLasting = isLasting;
  }
}

/** By how its message begins, or by its code. */
const LASTING: readonly (readonly [sign: RegExp, finding: string, remedy: string])[] = [
  [
    /^(?:WRONGPASS|NOAUTH|ERR AUTH|ERR invalid password|ERR Client sent AUTH)/,
    'The shared store does not accept our password',
    'check the user name and the password in SHARED_STATE_URL.',
  ],
  [
    /^NOPERM/,
    'This user of the shared store may not run a command that we need',
    'allow it everything on the keys of this site, and INFO.',
  ],
  [
    /^ERR DB index/,
    'The shared store has no database of that number',
    'change the number at the end of SHARED_STATE_URL.',
  ],
  [
    /^ERR .*not allowed from script/,
    'The shared store does not let a script find out which process it runs in (INFO)',
    'use a Redis or Valkey of your own, or a service that allows it.',
  ],
  [
    /^[A-Z_]*(?:CERT|SELF_SIGNED|ALTNAME)[A-Z_]*$/,
    'The certificate of the shared store is not trusted',
    'set NODE_EXTRA_CA_CERTS to a file with the certificate of who signed it.',
  ],
];

/** The problem, if waiting is known not to help; otherwise null. */
export const lastingProblem = (error: unknown): RedisProblem | null => {
  if (error instanceof RedisProblem) return error;
  const { message = '', code = '' } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  const known = LASTING.find(([sign]) => sign.test(message) || sign.test(code));
  return known === undefined ? null : new RedisProblem(known[1], known[2]);
};

export const toRedisProblem = (error: unknown): RedisProblem => {
  const known = lastingProblem(error);
  if (known !== null) return known;
  const { message = '', code = '' } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  const [reply = 'no answer'] = /^[A-Z]{3,}\b/.exec(message) ?? [];
  return new RedisProblem(
    `The shared store cannot be reached (${code || reply})`,
    'check SHARED_STATE_URL, and that Redis or Valkey is running there.',
    { isLasting: false },
  );
};
