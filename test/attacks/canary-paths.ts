import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { request } from 'undici';
import type { FaultSettings } from '#sandbox/faults/faults.ts';
import type { Sandbox } from '#sandbox/sandbox.ts';
import type { Visitors } from '#test/suites/load/visitors.ts';

export type CanaryAnswer = { readonly status: number; readonly headers: object; readonly body: unknown };

export type CanaryVisit = {
  readonly origin: string;
  readonly dataDir: string;
  readonly sandbox: Sandbox;
  readonly visitors: Visitors;
  /** A new bot's token, which nothing that leaves the server may show. */
  readonly newCanary: () => string;
};

const ID = '441997505123577857';

const FAULTS: readonly FaultSettings[] = [
  { merge: { value: { bot: false }, route: 'users/@me' } },
  { status: { value: 500, route: 'applications/@me' } },
  { html200: true },
  { rawBody: '{' },
  { truncate: true },
  { reset: true },
  { redirect: { status: 302, to: 'http://127.0.0.1:9/' } },
  { userRateLimit: true },
  { globalRateLimit: true },
  { ban: 'html' },
];

/** The token where it does not belong. */
const misplace = async ({ origin }: CanaryVisit, token: string): Promise<CanaryAnswer[]> => {
  const json = { 'content-type': 'application/json' };
  const attempts = [
    { path: `/donate-token?token=${token}`, headers: json, body: '{}' },
    { path: '/donate-token', headers: json, body: `{"token":"${token}"` },
    { path: '/donate-token', headers: json, body: JSON.stringify({ token, proof: token }) },
    { path: '/donate-token', headers: json, body: JSON.stringify({ [token]: token }) },
    { path: '/donate-token', headers: { 'content-type': 'text/plain' }, body: token },
    { path: '/donate-token', headers: json, body: JSON.stringify({ token: token.repeat(100) }) },
    { path: '/lookup', headers: json, body: JSON.stringify({ discord_id: token, proof: token }) },
    { path: `/${token}`, headers: { ...json, authorization: `Bot ${token}`, cookie: token }, body: '{}' },
    {
      path: '/withdraw-token',
      headers: { ...json, 'x-forwarded-for': token },
      body: `{"receipt":"${token}!"}`,
    },
  ];
  return Promise.all(
    attempts.map(async ({ path, headers, body }) => {
      const answer = await request(`${origin}${path}`, { method: 'POST', headers, body });
      return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
    }),
  );
};

const withoutTable = async <T>(dataDir: string, work: () => Promise<T>): Promise<T> => {
  const database = new DatabaseSync(join(dataDir, 'whoflake.sqlite'));
  try {
    database.exec('alter table donated_token rename to elsewhere');
    const result = await work();
    database.exec('alter table elsewhere rename to donated_token');
    return result;
  } finally {
    database.close();
  }
};

export const walkCanaries = async (visit: CanaryVisit): Promise<CanaryAnswer[]> => {
  const { visitors, sandbox, newCanary, dataDir } = visit;
  const answers: CanaryAnswer[] = [];
  const send = async (path: string, body: Record<string, unknown>): Promise<CanaryAnswer> => {
    const { status, headers, body: said } = await visitors.next().ask(path, body);
    const answer = { status, headers, body: said };
    answers.push(answer);
    return answer;
  };
  const donate = (token: string): Promise<CanaryAnswer> => send('/donate-token', { token });

  const [kept = '', left = '', taken = '', banned = '', busy = ''] = Array.from({ length: 5 }, newCanary);
  for (const token of [kept, left, taken]) await donate(token);
  await donate(`Bot ${kept}`);
  await donate(sandbox.resetToken(busy));
  await send('/lookup', { discord_id: ID });
  await send('/withdraw-token', { token: left });
  await send('/withdraw-token', { token: `${kept}x` });
  sandbox.revoke(banned);
  for (const token of [banned, banned, `${banned}=`]) await donate(token);
  sandbox.setGuildCount(busy, 2);
  await donate(busy);
  await withoutTable(dataDir, async () => {
    await donate(newCanary());
    await send('/withdraw-token', { token: kept });
  });
  answers.push(...(await misplace(visit, newCanary())));
  sandbox.revoke(taken);
  for (let n = 1; n <= 6; n += 1) await send('/lookup', { discord_id: `${BigInt(ID) + BigInt(n)}` });
  for (const faults of FAULTS) {
    sandbox.faults.set(faults);
    await donate(newCanary());
    await send('/lookup', { discord_id: `${BigInt(ID) + BigInt(answers.length)}` });
    sandbox.faults.clear();
  }
  return answers;
};
