import { expect, it } from 'vitest';
import type { Failure } from '../../ask-server.ts';
import { ENGLISH } from '#test/support/texts.ts';
import { donateToken } from './donation-dialog.tsx';
import type { Accepted } from './secret-form.tsx';

const SAVED = 'Token verified and saved. Thank you for helping keep the service alive!';
const accepted = { kind: 'accepted', message: SAVED };

const donate = (answer: typeof fetch): Promise<Accepted | Failure> =>
  donateToken(ENGLISH.donation)(
    { input: 'a.bot.token', proof: 'a-proof' },
    { fetch: answer, isOnline: () => true, signal: new AbortController().signal, errors: {} },
  );

it.each([
  ['201', Response.json({ message: 'Saved.' }, { status: 201 }), accepted],
  ['204', new Response(null, { status: 204 }), accepted],
  ['200 without JSON', new Response('saved'), accepted],
  ['a receipt that is none', Response.json({ receipt: 5 }), accepted],
  ['a receipt', Response.json({ receipt: 'r-1' }), { ...accepted, receipt: 'r-1' }],
])('§201 an answer with %s means that the token is saved', async (_, response, answer) => {
  expect(await donate(async () => response)).toEqual(answer);
});
