import { expect, it, vi } from 'vitest';
import { CALL_MS, HEADERS_MS } from '#server/deadlines.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
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

it.each([
  ['never begins', HEADERS_MS, ''],
  ['drips', CALL_MS, '{'],
])('an answer that %s is given up after %i ms', async (_, limitMs, begun) => {
  const { clock, advance } = createFakeSystem();
  const cancelled = vi.fn<(delayMs: number) => void>();
  const after: typeof clock.after = (delayMs, task) => {
    const cancel = clock.after(delayMs, task);
    return () => (cancelled(delayMs), cancel());
  };
  await using server = await startHttpServer((_request, response) => {
    if (begun !== '') response.write(begun);
  });
  const deps = { clock: { ...clock, after }, apiUrl: server.url, publicUrl: 'https://example.org' };
  const client = createDiscordClient(deps);
  const answers: unknown[] = [];
  const answered = client.getUser(ID, TOKEN, 10_000).then((answer) => answers.push(answer));
  if (begun !== '') await vi.waitFor(() => expect(cancelled).toHaveBeenCalledWith(HEADERS_MS), EVENTUALLY);
  await advance(limitMs - 1);
  expect(answers).toEqual([]);
  await advance(1);
  await answered;
  expect(answers).toEqual([{ kind: 'failed', reason: 'timeout' }]);
  client.close();
});
