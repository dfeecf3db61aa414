import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import type { FaultSettings } from '#sandbox/faults/faults.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { prepareSite } from '#test/support/process-site.ts';
import { spellingsOf } from '#test/support/spellings.ts';
import { createVisitors } from '../suites/load/visitors.ts';
import { DRIVEN, ROOMY } from '../suites/world.ts';
import { createTally, type FuzzResult, type Tally } from './tally.ts';

const ID = '441997505123577857';
const JSON_TYPE = { 'content-type': 'application/json' };
const REPORT_FILE = 'report.json';
const REPORT_LIMIT_MS = 60_000;
/** Where a token would show if anything were wrong. Whatever other files there are is looked through, too. */
const FILES = [
  'whoflake.sqlite',
  'backup.sqlite',
  'withdrawn.txt',
  'keyring.json',
  'server.lock',
  REPORT_FILE,
];
const PLACES = [
  ...FILES.flatMap((name) => [`${name} while it runs`, `${name} afterwards`]),
  'whoflake.sqlite-wal while it runs',
  'metrics',
  'readyz',
  'output',
];

const FAULTS: readonly FaultSettings[] = [
  { merge: { value: { bot: false }, route: 'users/@me' } },
  { status: { value: 500, route: 'applications/@me' } },
  { html200: true },
  { truncate: true },
  { redirect: { status: 302, to: 'http://127.0.0.1:9/' } },
  { userRateLimit: true },
  { ban: 'html' },
];

/** The token where it does not belong. */
const misplaced = (token: string) => [
  { path: `/donate-token?token=${token}`, headers: JSON_TYPE, body: '{}' },
  { path: '/donate-token', headers: JSON_TYPE, body: `{"token":"${token}"` },
  { path: '/donate-token', headers: JSON_TYPE, body: JSON.stringify({ token, proof: token }) },
  { path: '/donate-token', headers: JSON_TYPE, body: JSON.stringify({ [token]: token }) },
  { path: '/donate-token', headers: { 'content-type': 'text/plain' }, body: token },
  { path: '/donate-token', headers: JSON_TYPE, body: JSON.stringify({ token: token.repeat(100) }) },
  { path: '/lookup', headers: JSON_TYPE, body: JSON.stringify({ discord_id: token, proof: token }) },
  { path: `/${token}`, headers: { ...JSON_TYPE, authorization: `Bot ${token}`, cookie: token }, body: '{}' },
  {
    path: '/withdraw-token',
    headers: { ...JSON_TYPE, 'x-forwarded-for': token },
    body: `{"receipt":"${token}!"}`,
  },
];

/** Looks for every canary and each of its dotted parts, in every spelling, at every place. */
export const scan = (
  tally: Tally,
  exposed: ReadonlyMap<string, string>,
  canaries: readonly string[],
): void => {
  const forbidden = canaries.flatMap((canary) => [canary, ...canary.split('.')]).flatMap(spellingsOf);
  for (const [name, text] of exposed)
    for (const spelling of forbidden) tally.check(!text.includes(spelling), () => `${name} shows a canary`);
};

/** Canary tokens through the real process, and then a search for them in everything that came of it. */
export const searchForCanaries = async (seed: number): Promise<FuzzResult> => {
  await using site = await prepareSite();
  const { sandbox } = site;
  const dataDir = site.env.DATA_DIR;
  const report = `--report-on-signal --report-directory=${dataDir} --report-filename=${REPORT_FILE}`;
  const env = { ...site.env, ...ROOMY, ...DRIVEN, LOG_LEVEL: 'trace', NODE_OPTIONS: report };
  await using server = startAppProcess(env);
  const origin = await server.origin;
  await using visitors = createVisitors(() => origin);
  const canaries: string[] = [];
  const newCanary = (): string => {
    canaries.push(sandbox.mintToken((seed % 1_000) * 1_000 + canaries.length));
    return canaries.at(-1) ?? '';
  };
  const answers: { readonly status: number; readonly headers: object; readonly body: unknown }[] = [];
  const send = async (path: string, given: Record<string, unknown>): Promise<void> => {
    const { status, headers, body } = await visitors.next().ask(path, given);
    answers.push({ status, headers, body });
  };
  const donate = (token: string): Promise<void> => send('/donate-token', { token });

  const [kept, left, taken, banned, busy] = Array.from({ length: 5 }, newCanary) as [
    string,
    string,
    string,
    string,
    string,
  ];
  for (const token of [kept, left, taken, `Bot ${kept}`, sandbox.resetToken(busy)]) await donate(token);
  await send('/lookup', { discord_id: ID });
  for (const token of [left, `${kept}x`]) await send('/withdraw-token', { token });
  sandbox.revoke(banned);
  sandbox.setGuildCount(busy, 2);
  for (const token of [banned, banned, `${banned}=`, busy]) await donate(token);
  using database = new DatabaseSync(join(dataDir, 'whoflake.sqlite'));
  database.exec('alter table donated_token rename to elsewhere');
  await donate(newCanary());
  await send('/withdraw-token', { token: kept });
  database.exec('alter table elsewhere rename to donated_token');
  for (const { path, headers, body } of misplaced(newCanary())) {
    const answer = await request(`${origin}${path}`, { method: 'POST', headers, body });
    answers.push({ status: answer.statusCode, headers: answer.headers, body: await answer.body.text() });
  }
  sandbox.revoke(taken);
  for (const faults of [{}, ...FAULTS]) {
    sandbox.faults.set(faults);
    await donate(newCanary());
    await send('/lookup', { discord_id: `${BigInt(ID) + BigInt(answers.length)}` });
    sandbox.faults.clear();
  }

  /** What an outsider, an operator or a thief may get to see, by name. */
  const exposed = new Map<string, string>();
  const exposeFiles = (when: string): void => {
    for (const name of readdirSync(dataDir))
      exposed.set(`${name} ${when}`, readFileSync(join(dataDir, name), 'latin1'));
  };
  database.exec(`vacuum into '${join(dataDir, 'backup.sqlite')}'`);
  server.signal('SIGUSR2');
  // Node writes it in its own time.
  const isReported = (): boolean => /\}\s*$/.test(exposed.get(`${REPORT_FILE} while it runs`) ?? '');
  for (let waitedMs = 0; !isReported() && waitedMs < REPORT_LIMIT_MS; waitedMs += 100) {
    await pause(100);
    exposeFiles('while it runs');
  }
  for (const path of ['metrics', 'readyz']) exposed.set(path, (await site.readAdmin(`/${path}`)).text);
  server.signal('SIGTERM');
  await server.ended;
  exposeFiles('afterwards');
  exposed.set('output', server.output());
  const tally = createTally();
  for (const place of PLACES) tally.check(exposed.has(place), () => `${place} was not looked at`);
  const receipts = answers.flatMap(({ body }) => (body as { receipt?: string }).receipt ?? []);
  tally.check(receipts.length >= 4, () => `${receipts.length} donations went well`);
  // A receipt is shown to its donor, and to nobody else.
  scan(tally, exposed, [...canaries, ...receipts]);
  scan(tally, new Map([['answers', JSON.stringify(answers)]]), canaries);
  const statuses = [...new Set(answers.map(({ status }) => status))].toSorted((a, b) => a - b);
  return { note: `statuses ${statuses.join(' ')}`, ...tally.result() };
};
