import type { SnowflakeProblem } from '#shared/snowflake.ts';

export const idProblemText = (problem: SnowflakeProblem, platformName: string): string =>
  ({
    missing: `Enter a ${platformName} snowflake to lookup.`,
    malformed: `A ${platformName} ID consists of digits only.`,
    zero: `Zero is not a ${platformName} ID.`,
    'too-large': `This number is too large to be a ${platformName} ID.`,
    future: `This ${platformName} ID lies in the future, so nobody can have it yet.`,
  })[problem];
