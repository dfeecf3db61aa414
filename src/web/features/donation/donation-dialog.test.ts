import { describe, expect, it } from 'vitest';
import type { Failure } from '../../ask-server.ts';
import { donateToken } from './donation-dialog.tsx';
import type { Accepted } from './secret-form.tsx';

const SAVED = 'Token verified and saved. Thank you for helping keep the service alive!';
const request = { input: 'a.bot.token', proof: 'a-proof' };
const signal = new AbortController().signal;
const isOnline = (): boolean => true;

const donate = (answer: () => Response, proof = request.proof): Promise<Accepted | Failure> =>
  donateToken({ ...request, proof }, { fetch: async () => answer(), isOnline, signal });

describe('donating a token', () => {
  it('posts the token and the proof, and neither in the address', async () => {
    const calls: unknown[] = [];
    await donateToken(request, {
      signal,
      isOnline,
      fetch: async (url, init) => {
        calls.push([url, init?.method, init?.body]);
        return Response.json({}, { status: 201 });
      },
    });
    expect(calls).toEqual([['/donate-token', 'POST', '{"token":"a.bot.token","proof":"a-proof"}']]);
  });

  it('does not ask without a proof', async () => {
    expect(await donate(() => expect.unreachable(), '')).toEqual({
      kind: 'failed',
      message: 'Complete the Altcha challenge to donate your token.',
      reaction: 'solve-again',
      cause: 'donation-proof-missing',
    });
  });

  it.each([
    ['201', () => Response.json({ message: 'Saved.' }, { status: 201 })],
    ['204', () => new Response(null, { status: 204 })],
    ['200 without JSON', () => new Response('saved')],
    ['a receipt that is none', () => Response.json({ receipt: 5 })],
  ])('takes %s for saved', async (_, answer) => {
    expect(await donate(answer)).toEqual({ kind: 'accepted', message: SAVED });
  });

  it('keeps the receipt', async () => {
    const answer = await donate(() => Response.json({ receipt: 'r-1' }, { status: 201 }));
    expect(answer).toEqual({ kind: 'accepted', message: SAVED, receipt: 'r-1' });
  });
});

describe('a donation that fails', () => {
  it('says the sentence of the server', async () => {
    const body = { error: 'The bot is in servers.', code: 'proof-used', retry_after: 3 };
    expect(await donate(() => Response.json(body, { status: 409 }))).toEqual({
      kind: 'failed',
      message: 'The bot is in servers.',
      reaction: 'solve-again',
      cause: 'proof-used',
      retryAfterSeconds: 3,
    });
  });

  it('falls back when the server says nothing', async () => {
    expect(await donate(() => new Response('<h1>Bad gateway</h1>', { status: 502 }))).toEqual({
      kind: 'failed',
      message: 'Token donation failed.',
      reaction: 'explain',
      cause: 'unknown',
    });
  });

  it('never says what a failed network said, which might quote the request', async () => {
    const fetch = (): Promise<never> => Promise.reject(new TypeError(`could not send ${request.input}`));
    expect(await donateToken(request, { signal, isOnline, fetch })).toEqual({
      kind: 'failed',
      message: 'Unable to submit token right now.',
      reaction: 'try-later',
      cause: 'unreachable',
    });
  });
});
