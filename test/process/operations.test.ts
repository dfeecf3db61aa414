// @module-tag slow
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { describe, expect, it, vi } from 'vitest';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { startOps } from '#test/support/ops-process.ts';
import { spellingsOf } from '#test/support/spellings.ts';
import { ROOMY, startWorld } from '#test/suites/world.ts';

const ID = '441997505123577857';

/** A site that runs, and what an operator and a visitor do with it. */
const startSite = async (env = {}) => {
  const world = await startWorld({ tokens: 1, env: { ...ROOMY, ...env } });
  const ops = (argv: readonly string[], input = '') => startOps(argv, { env: world.settings, input }).ended;
  return {
    ...world,
    ops,
    json: async <T>(argv: readonly string[]) => JSON.parse((await ops([...argv, '--json'])).stdout) as T,
    post: (path: string, body: object) => world.visitors.next().ask(path, body),
  };
};

/** Looks people up beside each piece of work; all must be answered. */
const lookUpBeside = ({ post }: Awaited<ReturnType<typeof startSite>>) => {
  let last = BigInt(ID);
  const lookUp = async (): Promise<number> =>
    (await post('/lookup', { discord_id: String((last += 4_194_304n)) })).status;
  return async <T>(work: Promise<T>): Promise<T> => {
    const state = { isDone: false };
    void work.finally(() => (state.isDone = true));
    do expect([200, 404]).toContain(await lookUp());
    while (!state.isDone);
    return work;
  };
};

describe('commands reach a running server', () => {
  it('with links, opt-outs and tokens', async () => {
    await using site = await startSite();
    const { origin, server, post } = site;
    const [token = ''] = await site.sandbox.mintTokens(1, 1);
    const link = async () => {
      const { statusCode, headers, body } = await request(`${origin}/snow`);
      return [statusCode, headers.location, (await body.text()).includes('paused')];
    };

    expect(await site.ops(['vanity', 'add', 'snow', 'discord.gg/whoflake'])).toMatchObject({ exitCode: 0 });
    await vi.waitFor(
      async () => expect(await link()).toEqual([302, 'https://discord.gg/whoflake', false]),
      EVENTUALLY,
    );
    await site.ops(['vanity', 'pause', 'snow']);
    await vi.waitFor(async () => expect(await link()).toEqual([404, undefined, true]), EVENTUALLY);

    expect(await post('/lookup', { discord_id: ID })).toMatchObject({ status: 200 });
    await site.ops(['optout', 'add', '-'], ID);
    await vi.waitFor(
      async () => expect(await post('/lookup', { discord_id: ID })).toMatchObject({ status: 404 }),
      EVENTUALLY,
    );

    // One that was just used may be cooling.
    const inPool = async () => {
      const { text } = await site.readAdmin('/readyz');
      const { pool } = JSON.parse(text) as { pool: { healthy: number; cooling: number } };
      return pool.healthy + pool.cooling;
    };
    expect(await inPool()).toBe(1);
    const added = await site.ops(['tokens', 'add'], `${token}\n`);
    expect(added).toMatchObject({ exitCode: 0, stderr: '' });
    await vi.waitFor(async () => expect(await inPool()).toBe(2), EVENTUALLY);
    type Listed = { tokens: { id: string; kind: string; requests: number }[] };
    const { tokens } = await site.json<Listed>(['tokens', 'list']);
    expect(tokens.map(({ kind }) => kind)).toEqual(['stored', 'own']);
    // The person, and the decoy asked about in their place.
    expect(tokens.reduce((sum, { requests }) => sum + requests, 0)).toBeGreaterThanOrEqual(2);
    const unaware = startOps(['tokens', 'list', '--json'], { env: { ...site.settings, BOT_TOKENS: '' } });
    const known = tokens.map(({ id, kind }) => ({ id, kind }));
    expect(JSON.parse((await unaware.ended).stdout)).toMatchObject({ tokens: known });
    const id = tokens[0]?.id ?? '';
    const refused = [await site.ops(['tokens', 'add', token]), await site.ops(['tokens', 'add'], token)];
    const removed = await site.ops(['tokens', 'remove', id, '--yes']);
    await vi.waitFor(async () => expect(await inPool()).toBe(1), EVENTUALLY);

    const shown = JSON.stringify([added, refused, removed, server.output()]);
    for (const spelling of [token, ...token.split('.')].flatMap(spellingsOf))
      expect(shown).not.toContain(spelling);
  });

  it('while lookups go on: keys are rotated and retired', async () => {
    await using site = await startSite();
    const { server, post } = site;
    const [token = '', ...others] = await site.sandbox.mintTokens(5, 1);
    const beside = lookUpBeside(site);

    expect((await post('/donate-token', { token })).status).toBe(201);
    const ring = JSON.parse(readFileSync(join(site.dataDir, 'keyring.json'), 'utf8')) as {
      readonly keys: readonly { readonly kid: string }[];
    };
    const rotating = [site.ops(['vault', 'rotate']), site.ops(['vault', 'rotate'])];
    const donations = [];
    for (const token of others.slice(1)) donations.push(await post('/donate-token', { token }));
    const rotated = await beside(Promise.all(rotating));
    expect(rotated.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(donations.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await post('/donate-token', { token })).code).toBe('token-known');
    expect((await post('/withdraw-token', { token })).status).toBe(200);
    expect((await post('/donate-token', { token })).status).toBe(201);
    // It is refused as long as a token is sealed under that key.
    const retired = await beside(site.ops(['vault', 'retire', ring.keys[0]?.kid ?? '', '--yes']));
    expect(retired).toMatchObject({ exitCode: 0 });
    expect((await post('/donate-token', { token: others[0] })).status).toBe(201);
    expect(server.output()).not.toMatch(/"level":"(?:warn|error)"/);
  });
});

it('a command that has to wait for its turn to ask the platform does not end before it has asked', async () => {
  await using site = await startSite({ EGRESS_PER_SECOND: '1' });
  site.server.signal('SIGTERM');
  await site.server.ended;
  expect(await site.ops(['tokens', 'check'])).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await site.sandbox.stats()).requests).toBe(2);
});
