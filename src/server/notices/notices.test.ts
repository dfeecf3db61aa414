import { expect, it } from 'vitest';
import type { LookupPause } from '#shared/contract/status.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { findConditions } from './conditions.ts';
import { createNotices, type Condition } from './notices.ts';
import type { Notice } from './receiver.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const start = () => {
  const { clock, advance } = createFakeSystem({ wallMs: Date.UTC(2026, 10, 18, 3) });
  const world = { conditions: [] as readonly Condition[] };
  const sent: string[] = [];
  const notices = createNotices({
    clock,
    site: 'Whoflake',
    server: 'a',
    send: async ({ state, text }: Notice) => {
      sent.push(`${state} ${text}`);
      return null;
    },
    conditions: () => world.conditions,
    onFailure: () => {},
  });
  notices.start();
  return { world, sent, notices, advance };
};

it('a problem is told of once, again after hours, and when it is over', async () => {
  const { world, sent, advance } = start();
  world.conditions = [{ event: 'disk', text: 'the disk is full' }];
  await advance(2 * MINUTE_MS);
  expect(sent).toEqual(['problem the disk is full']);
  await advance(5 * HOUR_MS);
  expect(sent).toHaveLength(1);
  await advance(HOUR_MS);
  expect(sent).toEqual(['problem the disk is full', 'problem still: the disk is full']);
  world.conditions = [];
  await advance(MINUTE_MS);
  expect(sent.at(-1)).toBe('over over: the disk is full');
});

it('a hundred events at once are twenty messages', () => {
  const { notices, sent } = start();
  for (let n = 0; n < 100; n += 1) notices.tell('token-retired', `${n}`);
  expect(sent).toHaveLength(20);
});

it('a pause, few tokens and tokens on hold are put into words, with what helps', () => {
  const pause: LookupPause = { cause: 'banned', since: '', until: '2026-11-18T04:00:00.000Z' };
  const conditions = findConditions(pause, { healthy: 1, cooling: 1, suspect: 2 });
  expect(conditions.map(({ event, text }) => `${event} ${text}`)).toEqual([
    expect.stringMatching(/^lookups-paused lookups are paused until 2026-11-18T04:00.*What helps: wait/),
    expect.stringMatching(/^tokens-low only 2 working tokens.*ops tokens add/),
    expect.stringMatching(/^tokens-on-hold 2 tokens are on hold.*ops tokens list/),
  ]);
});
