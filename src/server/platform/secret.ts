import { inspect } from 'node:util';

/** A string that does not print itself: not in logs, not in JSON, not in an inspected object. */
export type Secret = {
  readonly reveal: () => string;
  readonly toString: () => string;
  readonly toJSON: () => string;
  readonly [inspect.custom]: () => string;
};

const REDACTED = '[redacted]';
const redacted = (): string => REDACTED;

export const createSecret = (value: string): Secret => ({
  reveal: () => value,
  toString: redacted,
  toJSON: redacted,
  [inspect.custom]: redacted,
});
