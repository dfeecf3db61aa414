// @module-tag slow
import { REST } from '@discordjs/rest';
import { expect, it } from 'vitest';
import { createSandbox } from './sandbox.ts';

const start = async () => {
  const sandbox = createSandbox();
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

it('an ordinary Discord client reads users, itself, its application and invites', async () => {
  await using server = await start();
  const { rest } = server;
  expect(await rest.get('/users/441997505123577857')).toMatchObject({ username: 'marlow.finch' });
  expect(await rest.get('/users/@me')).toMatchObject({ bot: true });
  // As @discordjs/core writes it.
  expect(await rest.get('/users/%40me')).toEqual(await rest.get('/users/@me'));
  expect(await rest.get('/applications/@me')).toMatchObject({ approximate_guild_count: 0 });
  expect(await rest.get('/invites/whoflake')).toMatchObject({ code: 'whoflake' });
});
