import { expect, it } from 'vitest';
import type { Failure } from '../../ask-server.ts';
import { ENGLISH } from '#test/support/texts.ts';
import { lookUp, type LookupAnswer } from './look-up.ts';

const ID = '80351110224678912';

const ask = (answer: (...request: Parameters<typeof fetch>) => Response): Promise<LookupAnswer | Failure> =>
  lookUp(
    { input: ID, proof: 'a-proof', unreachable: 'Unable to reach it.' },
    {
      fetch: async (...request) => answer(...request),
      isOnline: () => true,
      signal: new AbortController().signal,
      errors: { internal: ENGLISH.errors.internal },
    },
  );

it('§119, 191–193 a lookup posts the id under the name of the platform, and the proof, as JSON and as a page does by default', async () => {
  const calls: unknown[] = [];
  await ask((url, init) => {
    const { method, headers, credentials, mode } = new Request('http://here', init);
    calls.push([url, method, headers.get('content-type'), credentials, mode, init?.body]);
    return Response.json({});
  });
  const body = `{"discord_id":"${ID}","proof":"a-proof"}`;
  expect(calls).toEqual([['/lookup', 'POST', 'application/json', 'same-origin', 'cors', body]]);
});

it.each(['javascript:alert(1)', 'data:text/html,x', '//elsewhere.example/a.png', 5])(
  'no address of a profile is %j, which a browser would follow to another place',
  async (address) => {
    const body = { username: 'nelly', avatar_url: address, flags: [{ id: 'STAFF', image: address }] };
    const answer = await ask(() => Response.json(body));
    expect(answer).toMatchObject({ profile: { avatar_url: null, flags: [{ image: null }] } });
  },
);

const createdUtc = '2015-08-10T14:44:46.784Z';
const unexpected = { kind: 'failed', message: 'Unexpected server error.', cause: 'unknown' };

it.each([
  [206, { username: 'nelly' }, { kind: 'found', id: ID, profile: { username: 'nelly' } }],
  [404, { id: ID, created_utc: createdUtc }, { kind: 'not-found', id: ID, createdUtc }],
  [404, { created_utc: 'long ago' }, { kind: 'not-found', id: ID, createdUtc: null }],
  [503, { error: 'All busy.', code: 'pool-busy' }, { kind: 'failed', message: 'All busy.' }],
  [500, {}, unexpected],
  [200, {}, unexpected],
])('§133 the status %i with %j is taken for %j', async (status, body, answer) => {
  expect(await ask(() => Response.json(body, { status }))).toMatchObject(answer);
});
