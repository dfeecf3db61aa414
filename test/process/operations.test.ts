// @module-tag slow
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { expect, it, vi } from 'vitest';
import { createRunCommand } from '#server/notices/housekeeping.ts';
import { donate } from '#test/support/donor.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { startOps } from '#test/support/ops-process.ts';
import { askUntilTaken } from '#test/support/process-site.ts';
import { spellingsOf } from '#test/support/spellings.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { startTestApp } from '#test/support/test-app.ts';
import { ROOMY, startWorld } from '#test/suites/world.ts';

const ID = '441997505123577857';

/** Looks people up beside a piece of work; all must be answered. */
const lookUpBeside = async <T>(work: Promise<T>, lookUp: (id: string) => Promise<number>): Promise<T> => {
  const state = { isDone: false };
  void work.finally(() => (state.isDone = true));
  for (let id = BigInt(ID); !state.isDone; id += 4_194_304n)
    expect([200, 404]).toContain(await lookUp(String(id)));
  return work;
};

// Some twenty processes, one after the other.
it('commands reach a running server, beside lookups, and show no token', { timeout: 180_000 }, async () => {
  await using world = await startWorld({ tokens: 1, env: ROOMY });
  const { origin, server, settings } = world;
  const ops = (argv: readonly string[], input = '') => startOps(argv, { env: settings, input }).ended;
  const post = (path: string, body: object) => askUntilTaken(world.visitors, path, body);
  const lookUp = async (discord_id: string) => (await post('/lookup', { discord_id })).status;
  const [token = '', lent = ''] = await world.sandbox.mintTokens(2, 1);

  expect(await ops(['vanity', 'add', 'snow', 'discord.gg/whoflake'])).toMatchObject({ exitCode: 0 });
  expect(await lookUp(ID)).toBe(200);
  expect(await ops(['optout', 'add', '-'], ID)).toMatchObject({ exitCode: 0 });
  const linkLeads = async () => (await request(`${origin}/snow`)).headers.location;
  await vi.waitFor(async () => expect(await linkLeads()).toBe('https://discord.gg/whoflake'), EVENTUALLY);
  await vi.waitFor(async () => expect(await lookUp(ID)).toBe(404), EVENTUALLY);

  // One that was just used may be cooling.
  const inPool = async () => {
    const { pool } = JSON.parse((await world.readAdmin('/readyz')).text) as {
      readonly pool: { readonly healthy: number; readonly cooling: number };
    };
    return pool.healthy + pool.cooling;
  };
  const added = await ops(['tokens', 'add'], `${token}\n`);
  expect(added).toMatchObject({ exitCode: 0, stderr: '' });
  await vi.waitFor(async () => expect(await inPool()).toBe(2), EVENTUALLY);
  // Asked of the server: a command that knows nothing of the own tokens lists them all the same.
  const unaware = startOps(['tokens', 'list', '--json'], { env: { ...settings, BOT_TOKENS: '' } });
  const { tokens } = JSON.parse((await unaware.ended).stdout) as {
    readonly tokens: readonly { readonly id: string; readonly kind: string }[];
  };
  expect(tokens.map(({ kind }) => kind)).toEqual(['stored', 'own']);
  const refused = await ops(['tokens', 'add', token]);
  const removed = await ops(['tokens', 'remove', tokens[0]?.id ?? '', '--yes']);
  await vi.waitFor(async () => expect(await inPool()).toBe(1), EVENTUALLY);

  expect((await post('/donate-token', { token: lent })).status).toBe(201);
  expect(await lookUpBeside(ops(['vault', 'rotate']), lookUp)).toMatchObject({ exitCode: 79 });
  expect(server.output()).not.toMatch(/"level":"(?:warn|error)"/);
  const shown = JSON.stringify([added, refused, removed, server.output()]);
  for (const spelling of [token, ...token.split('.')].flatMap(spellingsOf))
    expect(shown).not.toContain(spelling);

  server.signal('SIGTERM');
  await server.ended;
  expect(await ops(['vault', 'rotate'])).toMatchObject({ exitCode: 0 });
  // Each waits for its turn to ask the platform: none ends before it has asked.
  const { requests } = await world.sandbox.stats();
  const env = { ...settings, EGRESS_PER_SECOND: '1' };
  const slowly = startOps(['tokens', 'add'], { env, input: `${token}\n` });
  expect(await slowly.ended).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await world.sandbox.stats()).requests).toBeGreaterThanOrEqual(requests + 2);
});

it('with BACKUP_DIR the server has a backup made soon after its start, with the program that is installed', async () => {
  using folder = temporaryFolder();
  const [dataDir, backupDir] = [join(folder.path, 'data'), join(folder.path, 'backups')];
  const env = { DATA_DIR: dataDir, ADMIN_PORT: '1' };
  const runCommand = createRunCommand(join(import.meta.dirname, '../../bin/ops'), env);
  await using test = await startTestApp({ dataDir, env: { BACKUP_DIR: backupDir }, runCommand });
  await donate(test, test.sandbox.mintToken(1));
  await test.app.start();
  await test.pass(31_000, 1_000);
  await vi.waitFor(() => expect(test.logs()).toContain('"event":"backup-made"'), EVENTUALLY);
  const [name = '', ...others] = readdirSync(backupDir);
  expect(others).toEqual([`${name}.withdrawn`]);
  const verified = startOps(['backup', '--verify', join(backupDir, name), '--json'], { env });
  expect(JSON.parse((await verified.ended).stdout)).toMatchObject({ state: 'ok', token_count: 1 });
});
