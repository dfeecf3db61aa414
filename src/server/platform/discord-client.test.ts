import { expect, it } from 'vitest';
import type { Snowflake } from '#shared/snowflake.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { startHttpServer } from '#test/support/http-server.ts';
import { createSecret } from './bot-token.ts';
import { createDiscordClient } from './discord-client.ts';

const ID = '441997505123577857' as Snowflake;
const TOKEN = { botId: ID, secret: createSecret('secret') };

// The sandbox lets in whatever is in use on Discord; we send what Discord documents.
it('every request to the platform says who asks, as documented', async () => {
  const publicUrl = 'https://example.org/whoflake';
  const seen = new Map<string | undefined, string | undefined>();
  await using server = await startHttpServer(({ url, headers }, response) => {
    seen.set(url, headers['user-agent']);
    response.end();
  });
  const apiUrl = `${server.url}/api/v10`;
  const client = createDiscordClient({ clock: createFakeSystem().clock, apiUrl, publicUrl });
  await Promise.all([
    client.getUser(ID, TOKEN, 1_000),
    client.getOwnUser(TOKEN),
    client.getOwnApplication(TOKEN),
    client.getInvite('whoflake'),
    client.getGateway(),
  ]);
  client.close();

  expect(seen.size).toBe(5);
  for (const userAgent of seen.values()) {
    const [, url] = /^DiscordBot \(([^\s,()]+), \d+\.\d+\.\d+[-\w.]*\) Whoflake$/.exec(userAgent ?? '') ?? [];
    expect(url).toBe(publicUrl);
  }
});
