import { expect, it } from 'vitest';
import type { LookupPause } from '#shared/contract/status.ts';
import { HOUR_MS, MINUTE_MS } from '#server/system.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createNotices, explainPause, findConditions, type Condition } from './notices.ts';
import type { Notice } from './receiver.ts';

const start = () => {
  const { clock, advance } = createFakeSystem({ wallMs: Date.UTC(2026, 10, 18, 3) });
  const world = { conditions: [] as readonly Condition[], problem: null as string | null };
  let failures = 0;
  const sent: string[] = [];
  const notices = createNotices({
    clock,
    site: 'Whoflake',
    server: 'a',
    send: async ({ state, text }: Notice) => {
      sent.push(`${state} ${text}`);
      return world.problem;
    },
    conditions: () => world.conditions,
    onFailure: () => (failures += 1),
  });
  notices.start();
  return { world, sent, notices, advance, failures: () => failures };
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
  expect(sent.at(-1)).toEqual(expect.stringMatching(/^over over after \d+ min: the disk is full$/));
});

it('tokens that are retired at once are one message, and keep no problem waiting', async () => {
  const { world, notices, sent, advance } = start();
  notices.tell('token-retired', 'a1');
  await advance(5_000);
  for (let n = 0; n < 25; n += 1) notices.tell('token-retired', `${n}`);
  world.conditions = [{ event: 'lookups-paused', text: 'lookups are paused' }];
  await advance(2 * MINUTE_MS);
  expect(sent).toEqual([expect.stringContaining('the token a1'), 'problem lookups are paused']);
  await advance(10 * MINUTE_MS);
  expect(sent.slice(2)).toEqual([expect.stringContaining('refused 25 tokens')]);
});

it('more problems than messages in an hour wait for the next, and what was not told is not over', async () => {
  const { world, sent, advance } = start();
  const disks = Array.from({ length: 21 }, (_, n) => ({ event: `disk ${n}`, text: `disk ${n} is full` }));
  world.conditions = disks;
  await advance(2 * MINUTE_MS);
  expect(sent).toHaveLength(20);
  world.conditions = disks.slice(19);
  await advance(HOUR_MS);
  expect(sent.slice(20)).toContain('problem disk 20 is full');
  world.conditions = [];
  await advance(2 * HOUR_MS);
  const told = sent.filter((text) => text.startsWith('problem disk'));
  const over = sent.filter((text) => text.startsWith('over'));
  expect(over).toHaveLength(told.length);
});

it('what the receiver does not take is sent again, more and more seldom, and logged once', async () => {
  const { world, sent, advance, failures } = start();
  world.conditions = [{ event: 'disk', text: 'the disk is full' }];
  world.problem = 'it answers with status 500';
  await advance(10 * MINUTE_MS);
  expect(sent).toEqual(Array(6).fill('problem the disk is full'));
  await advance(3 * HOUR_MS);
  expect(sent.length).toBeLessThan(16);
  expect(failures()).toBe(1);
  world.problem = null;
  await advance(HOUR_MS);
  sent.length = 0;
  world.conditions = [];
  await advance(MINUTE_MS);
  expect(sent).toEqual([expect.stringMatching(/^over over after \d+ min: the disk is full$/)]);
});

it('what is over before it was told is not told at all', async () => {
  const { world, sent, advance } = start();
  world.conditions = [{ event: 'disk', text: 'the disk is full' }];
  world.problem = 'it answers with status 500';
  await advance(2 * MINUTE_MS);
  world.conditions = [];
  world.problem = null;
  sent.length = 0;
  await advance(HOUR_MS);
  expect(sent).toEqual([]);
});

const FACTS = { suspect: 0, tokensHeld: false, tokenDonations: true, postgresProblem: null };

it.each([
  ['no-tokens', {}, /^there is no working token: add a token with ops tokens add/],
  ['no-tokens', { suspect: 3 }, /^the platform refuses all tokens: wait/],
  ['no-tokens', { tokensHeld: true }, /without its list of withdrawn tokens.*ops withdrawn merge/],
  ['no-tokens', { tokenDonations: false }, /set BOT_TOKENS/],
  ['store-unavailable', { postgresProblem: 'PostgreSQL: its disk is full (53100)' }, /full.*: free up space/],
] as const)('a pause because of %s with %j names what helps', (cause, facts, text) => {
  expect(explainPause(cause, { ...FACTS, ...facts }).join(': ')).toMatch(text);
});

it('a pause, few tokens and tokens on hold are put into words, with what helps', () => {
  const pause: LookupPause = { cause: 'banned', since: '', until: '2026-11-18T04:00:00.000Z' };
  const conditions = [...findConditions(pause, { healthy: 1, cooling: 1, suspect: 2 }, FACTS)];
  expect(conditions.map(({ event, text }) => `${event} ${text}`)).toEqual([
    expect.stringMatching(/^lookups-paused lookups are paused until 2026-11-18T04:00.*What helps: wait/),
    expect.stringMatching(/^tokens-low only 2 working tokens.*ops tokens add/),
    expect.stringMatching(/^tokens-on-hold 2 tokens are on hold.*ops tokens list/),
  ]);
});
