// @module-tag slow
import { request } from 'undici';
import { describe, expect, it, vi } from 'vitest';
import { createSandbox } from '#sandbox/sandbox.ts';
import type { Challenge } from '#shared/contract/challenge.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { distinctIds } from '#test/support/many-lookups.ts';
import { encodeProof, solveChallenge } from '#test/support/solve-challenge.ts';
import { visit } from './visitor.ts';

const LOOKUPS = 20;

/** The server's process, with a sandbox of ours as its platform. */
const startServed = async () => {
  const sandbox = createSandbox({ notFoundShare: 0 });
  const { cdnUrl } = await sandbox.listen();
  const process = startAppProcess({
    DISCORD_API_URL: `${cdnUrl}/api/v10`,
    DISCORD_CDN_URL: cdnUrl,
    BOT_TOKENS: Array.from({ length: LOOKUPS }, (_, n) => sandbox.mintToken(n)).join(','),
    POW_MAX_NUMBER: '1000',
    LOOKUPS_PER_MINUTE: '1000',
  });
  return {
    sandbox,
    process,
    [Symbol.asyncDispose]: async () => {
      await process[Symbol.asyncDispose]();
      await sandbox.close();
    },
  };
};

const solveAt = async (origin: string): Promise<string> => {
  const { body } = await request(`${origin}/challenge`);
  return encodeProof(solveChallenge((await body.json()) as Challenge));
};

describe('the process', () => {
  it('answers what is under way when it is told to stop, and ends well', async () => {
    await using served = await startServed();
    const origin = await served.process.origin;
    served.sandbox.faults.set({ latencyMs: 600 });
    const proofs = await Promise.all(Array.from({ length: LOOKUPS }, () => solveAt(origin)));
    const visits = distinctIds(LOOKUPS).map((id, n) => visit(origin, { id, proof: proofs[n] ?? '' }));
    // A server that gets too little of the machine may turn some away; that is an answer, too.
    let turnedAway = 0;
    for (const { answer } of visits) void answer.then(({ status }) => (turnedAway += status === 503 ? 1 : 0));
    const underWay = () => served.sandbox.stats().requests;
    // The sandbox counts a request at half of its latency: by then all are under way.
    await vi.waitFor(() => expect(underWay() + turnedAway).toBe(LOOKUPS), EVENTUALLY);
    expect(underWay()).toBeGreaterThan(0);
    served.process.signal('SIGTERM');
    const answers = await Promise.all(visits.map(({ answer }) => answer));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(underWay());
    expect((await served.process.ended).exitCode).toBe(0);
    await expect(request(`${origin}/healthz`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('with a wrong configuration does not start, and names every problem at once without its secrets', async () => {
    const token = 'mfa.a-secret-that-must-not-be-printed';
    const wrong = {
      PORT: '99999',
      PLATFORM: 'elsewhere',
      PUBLIC_URL: 'not a url',
      DISCORD_API_URL: 'http://example.org',
      DISCORD_CDN_URL: 'http://example.org',
      BOT_TOKENS: token,
      TRUSTED_PROXIES: '10.0.0.0/99',
      POW_MAX_NUMBER: '5',
      LOG_LEVEL: 'loud',
    };
    await using process = startAppProcess(wrong);
    const { exitCode, stderr } = await process.ended;
    expect(exitCode).toBe(78);
    for (const name of Object.keys(wrong)) expect(stderr).toMatch(new RegExp(`^  ${name}\\b.*: `, 'm'));
    expect(stderr).not.toContain(token);
  });
});
