import { describe, expect, it } from 'vitest';
import type { Status } from '#shared/contract/status.ts';
import { readStatus } from './use-status.ts';

const signal = new AbortController().signal;
const status: Status = {
  tokens: { healthy: 3, cooling: 1, retired: 2 },
  lookups_last_hour: { served: 40, refused: 5 },
  last_retirement: null,
  donations_needed: false,
};

const isOnline = (): boolean => true;

const read = (answer: () => Response): ReturnType<typeof readStatus> =>
  readStatus({ fetch: async () => answer(), isOnline, signal });

describe('reading the status', () => {
  it('gives what the server says', async () => {
    expect(await read(() => Response.json(status))).toEqual({ kind: 'read', status });
  });

  it('says the sentence of a server that refuses', async () => {
    const answer = await read(() => Response.json({ error: 'Busy.' }, { status: 503 }));
    expect(answer).toMatchObject({ kind: 'failed', message: 'Busy.' });
  });

  it.each([
    ['a proxy that refuses', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['a page in its place', () => new Response('<h1>Hello</h1>')],
  ])('does not take %s for a status', async (_, answer) => {
    expect(await read(answer)).toMatchObject({ message: expect.stringContaining('could not be read') });
  });

  it('says that the server could not be reached', async () => {
    const fetch = (): Promise<never> => Promise.reject(new TypeError('no network'));
    expect(await readStatus({ fetch, isOnline, signal })).toMatchObject({
      message: expect.stringContaining('could not be reached'),
    });
  });
});
