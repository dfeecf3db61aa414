import { expect, it } from 'vitest';
import { readStatus } from './use-status.ts';

const read = (fetch: typeof globalThis.fetch): ReturnType<typeof readStatus> =>
  readStatus({ fetch, isOnline: () => true, signal: new AbortController().signal });

it('gives what the server says', async () => {
  const status = { donations_needed: false };
  expect(await read(async () => Response.json(status))).toEqual({ kind: 'read', status });
});

it.each([
  ['a server that refuses', async () => Response.json({ error: 'Busy.' }, { status: 503 }), 'Busy.'],
  ['a page in its place', async () => new Response('<h1>Hello</h1>'), 'could not be read'],
  ['no network', () => Promise.reject(new TypeError('no network')), 'could not be reached'],
])('does not take %s for a status', async (_, fetch, words) => {
  expect(await read(fetch)).toMatchObject({ kind: 'failed', message: expect.stringContaining(words) });
});
