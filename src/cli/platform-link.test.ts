import { expect, it, vi } from 'vitest';
import { StorageFault } from '#server/storage/storage-fault.ts';
import { realSystem } from '#server/system.ts';
import { useOperator } from '#test/support/operator.ts';
import { configOf } from '#test/support/well-formed.ts';
import { NEW_STANDING, type Standing } from '#server/platform/standing.ts';
import { openJournals, readSilently } from '#server/open-state.ts';
import { createPlatformLink } from './platform-link.ts';

const site = useOperator(({ addTokens }) => addTokens(1));
const URLS = { DISCORD_API_URL: 'http://127.0.0.1:1', DISCORD_CDN_URL: 'http://127.0.0.1:1' };
const input = () => site.sandbox.mintToken(9);

/** What a server on this folder knows, or has known before it stopped. */
const noteOfServer = (standing: Partial<Standing>) =>
  site.look(async ({ database }) => {
    const { platform } = (await openJournals(database))(readSilently);
    await platform.keep({ ...NEW_STANDING, ...standing });
  });

it.each(['tokens add', 'vanity add snow whoflake', 'doctor'])(
  'nothing is asked while the platform blocks the server, or may take offence: %s',
  async (command) => {
    const nowMs = Date.now();
    const ban = { sinceMs: nowMs, untilMs: nowMs + 3_600_000, probeUntilMs: 0 };
    const told = () => site.printed(command.split(' '), { input: input() });
    await noteOfServer({ bans: { getUser: ban } });
    expect(await told()).toMatch(/The platform is not asked anything until 20\S+Z: .* blocking our address/);
    await noteOfServer({ invalid: [{ startMs: nowMs, count: 250 }] });
    if (command.startsWith('tokens')) expect(await told()).toMatch(/^1 .*too many requests were invalid/s);
    expect(site.sandbox.stats().requests).toBe(0);
  },
);

it('a command that cannot use what the servers share does not go on asking for it', async () => {
  const close = vi.fn(async () => {});
  const start = () => Promise.reject(new StorageFault('57014'));
  await site.look(async (records) => {
    const openState: typeof records.openState = (deps) => ({ ...records.openState(deps), start, close });
    const openRecords = async () => ({ ...records, openState });
    const link = createPlatformLink({
      config: configOf({ ADMIN_PORT: '1', ...URLS }),
      system: realSystem,
      openRecords,
    });
    await expect(link).rejects.toMatchObject({ code: '57014' });
  });
  expect(close).toHaveBeenCalledOnce();
});
