// @module-tag slow
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { readStoredTokens } from '#test/attacks/stored-tokens.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { askUntilTaken, prepareSite } from '#test/support/process-site.ts';
import { createVisitors } from '#test/suites/load/visitors.ts';

const PRELOAD = join(import.meta.dirname, 'throw-on-signal.mjs');

it.each(['rejection', 'worker', 'timer', 'database callback'])(
  'what is thrown from a %s ends the process in order, loses nothing, and is logged without its message',
  async (from) => {
    await using site = await prepareSite();
    {
      const preload = { NODE_OPTIONS: `--import=${PRELOAD}`, THROW_FROM: from };
      await using server = startAppProcess({ ...site.env, ...preload });
      const origin = await server.origin;
      await using visitors = createVisitors(() => origin);
      const donation = askUntilTaken(visitors, '/donate-token', { token: site.sandbox.mintToken(1) });
      expect((await donation).status).toBe(201);
      site.sandbox.faults.set({ latencyMs: 60_000 });
      const dropped = expect(
        visitors.next().ask('/lookup', { discord_id: '441997505123577857' }),
      ).rejects.toThrow();
      await vi.waitFor(
        async () => expect((await site.readAdmin('/readyz')).text).toContain('"in_flight":1'),
        EVENTUALLY,
      );
      server.signal('SIGUSR2');
      await dropped;
      expect((await server.ended).exitCode).toBe(1);
      expect(server.output()).toMatch(/"event":"crashed","name":"TypeError".*"frames":\["at /);
      expect(server.output()).not.toContain('Canary of a crash');
    }
    const { kept, unreadable } = await readStoredTokens(site.env.DATA_DIR);
    expect([[...kept], unreadable]).toEqual([[site.sandbox.mintToken(1)], 0]);
  },
);
