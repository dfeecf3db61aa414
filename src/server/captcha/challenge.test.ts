import { createHmac, createSecretKey } from 'node:crypto';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { ChallengeSchema } from '#shared/contract/challenge.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { solveChallenge } from '#test/support/solve-challenge.ts';
import { issueChallenge } from './challenge.ts';

const key = createSecretKey(Buffer.alloc(32, 7));
const terms = { key, maxNumber: 50, expiresAtMs: 1_800_000_000_999 };

const { random } = createFakeSystem();

describe('issueChallenge', () => {
  it('issues the shape of the contract', () => {
    const challenge = issueChallenge(random, terms);
    expect(Value.Check(ChallengeSchema, challenge)).toBe(true);
    expect(challenge).toEqual({
      algorithm: 'SHA-256',
      challenge: expect.stringMatching(/^[0-9a-f]{64}$/),
      salt: expect.stringMatching(/^[0-9a-f]{24}\?expires=1800000000&$/),
      signature: createHmac('sha256', key).update(challenge.challenge).digest('hex'),
      maxnumber: 50,
    });
  });

  it('never repeats a salt', () => {
    const salts = new Set(Array.from({ length: 2_000 }, () => issueChallenge(random, terms).salt));
    expect(salts.size).toBe(2_000);
  });

  it('hides every number from 0 to maxnumber, both included', () => {
    const numbers = new Set(
      Array.from(
        { length: 200 },
        () => solveChallenge(issueChallenge(random, { ...terms, maxNumber: 3 })).number,
      ),
    );
    expect(numbers).toEqual(new Set([0, 1, 2, 3]));
  });
});
