// @module-tag slow
import { REST } from '@discordjs/rest';
import { describe, expect, it } from 'vitest';
import { createSandbox, type SandboxOptions } from './sandbox.ts';

const start = async (options: SandboxOptions = {}) => {
  const sandbox = createSandbox(options);
  const { apiUrl } = await sandbox.listen();
  const rest = new REST({
    api: apiUrl.replace('/v10', ''),
    version: '10',
    retries: 0,
    globalRequestsPerSecond: 50,
  });
  rest.setToken(sandbox.mintToken(0));
  return {
    sandbox,
    rest,
    [Symbol.asyncDispose]: async () => {
      rest.clearHashSweeper();
      rest.clearHandlerSweeper();
      await sandbox.close();
    },
  };
};

describe('an ordinary Discord client', () => {
  it('reads users, itself, its application and invites', async () => {
    await using server = await start();
    const { rest } = server;
    expect(await rest.get('/users/441997505123577857')).toMatchObject({ username: 'marlow.finch' });
    expect(await rest.get('/users/@me')).toMatchObject({ bot: true });
    // As @discordjs/core writes it.
    expect(await rest.get('/users/%40me')).toEqual(await rest.get('/users/@me'));
    expect(await rest.get('/applications/@me')).toMatchObject({ approximate_guild_count: 0 });
    expect(await rest.get('/invites/whoflake')).toMatchObject({ code: 'whoflake' });
  });

  it.each(['sliding', 'fixed'] as const)('keeps within a %s limit by its headers alone', async (mode) => {
    await using server = await start({ mode, limit: 4, periodMs: 400 });
    const ids = Array.from({ length: 9 }, (_, index) => `44199750512357${7850 + index}`);
    await Promise.allSettled(ids.map((id) => server.rest.get(`/users/${id}`)));
    expect(server.sandbox.stats()).toMatchObject({ requests: 9, rateLimited: 0 });
  });
});
