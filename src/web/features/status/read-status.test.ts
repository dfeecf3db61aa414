import { expect, it } from 'vitest';
import { STATUS } from '#test/support/site.ts';
import { ENGLISH } from '#test/support/texts.ts';
import { readStatus } from './read-status.ts';

const read = (fetch: typeof globalThis.fetch): ReturnType<typeof readStatus> =>
  readStatus(
    { fetch, isOnline: () => true, signal: new AbortController().signal, errors: {} },
    ENGLISH.status,
  );

it.each([
  ['of this moment', '2026-11-17T03:00:00.900Z', 0],
  ['a minute old', '2026-11-17T02:59:00.000Z', 60_000],
])(
  'gives what the server says, and how old it is by the server’s clock: %s',
  async (_, updated_at, ageMs) => {
    const status = { ...STATUS, updated_at };
    const headers = { date: 'Tue, 17 Nov 2026 03:00:00 GMT' };
    const answer = await read(async () => Response.json(status, { headers }));
    expect(answer).toEqual({ kind: 'read', status, ageMs });
  },
);

it.each([
  ['a server that refuses', async () => Response.json({ error: 'Busy.' }, { status: 503 }), 'Busy.'],
  ['half of one', async () => Response.json({ updated_at: STATUS.updated_at }), 'could not be read'],
  ['a page in its place', async () => new Response('<h1>Hello</h1>'), 'could not be read'],
  ['no network', () => Promise.reject(new TypeError('no network')), 'could not be reached'],
])('does not take %s for a status', async (_, fetch, words) => {
  expect(await read(fetch)).toMatchObject({ kind: 'failed', message: expect.stringContaining(words) });
});
