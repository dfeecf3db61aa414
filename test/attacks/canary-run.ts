import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { startAppProcess } from '#test/support/app-process.ts';
import { prepareSite } from '#test/support/process-site.ts';
import { spellingsOf } from '#test/support/spellings.ts';
import { createVisitors } from '../suites/load/visitors.ts';
import { DRIVEN, ROOMY } from '../suites/world.ts';
import { walkCanaries } from './canary-paths.ts';
import { createTally, type FuzzResult, type Tally } from './tally.ts';

const REPORT_FILE = 'report.json';
const REPORT_LIMIT_MS = 10_000;
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
  'server.running while it runs',
  'metrics',
  'readyz',
  'output',
];

const exposeFiles = (exposed: Map<string, string>, when: string, folder: string): void => {
  for (const name of readdirSync(folder))
    exposed.set(`${name} ${when}`, readFileSync(join(folder, name), 'latin1'));
};

const backUp = (folder: string): void => {
  const database = new DatabaseSync(join(folder, 'whoflake.sqlite'));
  database.exec(`vacuum into '${join(folder, 'backup.sqlite')}'`);
  database.close();
};

/** Node writes it in its own time. */
const awaitReport = async (folder: string): Promise<void> => {
  for (let waited = 0; waited < REPORT_LIMIT_MS; waited += 100) {
    await pause(100);
    if (readdirSync(folder).includes(REPORT_FILE)) return pause(500);
  }
  throw new Error('There is no report.');
};

/** Looks for every canary and each of its dotted parts, in every spelling, at every place. */
export const scan = (
  tally: Tally,
  exposed: ReadonlyMap<string, string>,
  canaries: readonly string[],
): void => {
  const forbidden = canaries.flatMap((canary) => [canary, ...canary.split('.')]).flatMap(spellingsOf);
  for (const [name, text] of exposed) {
    for (const spelling of forbidden) tally.check(!text.includes(spelling), () => `${name} shows a canary`);
  }
};

/** Canary tokens through the real process, and then a search for them in everything that came of it. */
export const searchForCanaries = async (seed: number): Promise<FuzzResult> => {
  await using site = await prepareSite();
  const { sandbox } = site;
  const dataDir = site.env.DATA_DIR;
  await using server = startAppProcess({
    ...site.env,
    ...ROOMY,
    ...DRIVEN,
    LOG_LEVEL: 'trace',
    NODE_OPTIONS: `--report-on-signal --report-directory=${dataDir} --report-filename=${REPORT_FILE}`,
  });
  const origin = await server.origin;
  const canaries: string[] = [];
  const newCanary = (): string => {
    const token = sandbox.mintToken((seed % 1_000) * 1_000 + canaries.length);
    canaries.push(token);
    return token;
  };
  await using visitors = createVisitors(() => origin);
  const answers = await walkCanaries({ origin, dataDir, sandbox, visitors, newCanary });

  /** What an outsider, an operator or a thief may get to see, by name. */
  const exposed = new Map<string, string>();
  backUp(dataDir);
  server.signal('SIGUSR2');
  await awaitReport(dataDir);
  exposeFiles(exposed, 'while it runs', dataDir);
  for (const path of ['metrics', 'readyz']) exposed.set(path, (await site.readAdmin(`/${path}`)).text);
  server.signal('SIGTERM');
  await server.ended;
  exposeFiles(exposed, 'afterwards', dataDir);
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
