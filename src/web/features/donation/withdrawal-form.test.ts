import { describe, expect, it } from 'vitest';
import type { Failure } from '../../ask-server.ts';
import type { Accepted } from './secret-form.tsx';
import { withdrawToken } from './withdrawal-form.tsx';

const signal = new AbortController().signal;
const isOnline = (): boolean => true;
const GONE = 'Done. If we had this token, it has been deleted.';

const withdraw = (answer: () => Response, proof = 'a-proof'): Promise<Accepted | Failure> =>
  withdrawToken({ input: 'WD-1', proof }, { fetch: async () => answer(), isOnline, signal });

describe('withdrawing a token', () => {
  it.each([
    ['WD-ABCDE-12345', 'receipt'],
    ['wd-abcde-12345', 'receipt'],
    ['MTIz.abc.def', 'token'],
    ['Bot MTIz.abc.def', 'token'],
  ])('sends %j as the %s, and not in the address', async (input, field) => {
    const calls: unknown[] = [];
    const fetch: typeof globalThis.fetch = async (url, init) => {
      calls.push([url, init?.method, init?.body]);
      return Response.json({ message: GONE });
    };
    expect(await withdrawToken({ input, proof: 'p' }, { fetch, isOnline, signal })).toEqual({
      kind: 'accepted',
      message: GONE,
    });
    expect(calls).toEqual([['/withdraw-token', 'POST', JSON.stringify({ [field]: input, proof: 'p' })]]);
  });

  it('does not ask without a proof', async () => {
    expect(await withdraw(() => expect.unreachable(), '')).toMatchObject({
      message: 'Complete the Altcha challenge to continue.',
      reaction: 'solve-again',
    });
  });

  it('says the sentence of the server that refuses', async () => {
    const body = { error: 'Too many.', code: 'visitor-limit', retry_after: 3 };
    expect(await withdraw(() => Response.json(body, { status: 429 }))).toEqual({
      kind: 'failed',
      message: 'Too many.',
      reaction: 'try-later',
      cause: 'visitor-limit',
      retryAfterSeconds: 3,
    });
  });

  it.each([
    ['a refusal without words', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['a success without words', () => new Response('<h1>Hello</h1>')],
  ])('takes %s for a failure', async (_, answer) => {
    expect(await withdraw(answer)).toMatchObject({ kind: 'failed', message: 'Withdrawal failed.' });
  });

  it('never says what a failed network said', async () => {
    const fetch = (): Promise<never> => Promise.reject(new TypeError('could not send WD-1'));
    expect(await withdrawToken({ input: 'WD-1', proof: 'p' }, { signal, isOnline, fetch })).toMatchObject({
      message: 'Unable to withdraw the token right now.',
    });
  });
});
