import { expect, it } from 'vitest';
import type { Failure } from '../../ask-server.ts';
import { ENGLISH } from '#test/support/texts.ts';
import type { Accepted } from './secret-form.tsx';
import { withdrawToken } from './withdrawal-form.tsx';

const GONE = 'Done. If we had this token, it has been deleted.';

const withdraw = (answer: typeof fetch, input = 'WD-1'): Promise<Accepted | Failure> =>
  withdrawToken(ENGLISH.donation.withdrawal)(
    { input, proof: 'p' },
    { fetch: answer, isOnline: () => true, signal: new AbortController().signal, errors: {} },
  );

it.each([
  ['WD-ABCDE-12345', 'receipt'],
  ['wd-abcde-12345', 'receipt'],
  ['MTIz.abc.def', 'token'],
  ['Bot MTIz.abc.def', 'token'],
])('sends %j as the %s, and not in the address', async (input, field) => {
  const calls: unknown[] = [];
  const answer = await withdraw(async (url, init) => {
    calls.push([url, init?.method, init?.body]);
    return Response.json({ message: GONE });
  }, input);
  expect(answer).toEqual({ kind: 'accepted', message: GONE });
  expect(calls).toEqual([['/withdraw-token', 'POST', JSON.stringify({ [field]: input, proof: 'p' })]]);
});

it.each([
  [
    'a refusal without words',
    () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
    'Withdrawal failed.',
  ],
  ['a success without words', () => new Response('<h1>Hello</h1>'), 'Withdrawal failed.'],
  [
    'a network that quotes the request',
    () => {
      throw new TypeError('could not send WD-1');
    },
    'Unable to withdraw the token right now.',
  ],
])('takes %s for a failure', async (_, answer, message) => {
  expect(await withdraw(async () => answer())).toMatchObject({ kind: 'failed', message });
});
