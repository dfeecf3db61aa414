// @module-tag slow
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSandbox } from '#sandbox/sandbox.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { usePostgres } from '#test/support/databases.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { startHttpServer } from '#test/support/http-server.ts';
import { startPlatform } from '#test/support/process-site.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { systemctl } from './systemctl.ts';

const ROOT = join(import.meta.dirname, '../..');
const START = `cd ${ROOT} && exec setsid node bin/whoflake`;
const PAGES = ['README.md', 'docs/operations.md', 'docs/backup.md', 'docs/cluster.md'] as const;
type Page = (typeof PAGES)[number];

/** How lines begin that are run here, as they are printed but for paths, ports and what stands in angle brackets. */
const RUN =
  /^(?:ops |npm start$|sqlite3 |awk |curl -fsS |pg_dump |pg_restore |systemctl (?:start|stop) whoflake$)/;
/** Why others are not, and how those begin. */
const NOT_HERE = {
  'there is no Docker engine': ['docker'],
  'it downloads from a repository that is not public yet': ['git', 'tar', 'cd'],
  'it would run itself': ['npm test'],
  'test/release/packaging does': ['npm run release', 'apt', 'useradd', 'ln'],
  'with Discord: a test of its own does so': ["printf 'PLATFORM"],
  'a person types': ['editor'],
  'it needs a public name': ['certbot'],
  'it changes the machine': ['install', 'cp', 'printf', 'sed', 'nginx', 'systemctl'],
  'the test has a server and a database already': ['createuser', 'createdb', 'psql'],
  'there is one machine': ['scp', 'ssh'],
};
const KNOWN = Object.values(NOT_HERE).flat();

const textOf = (page: Page): string => readFileSync(join(ROOT, page), 'utf8');
const blocksOf = (page: Page): string[][] =>
  [...textOf(page).matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, block = '']) =>
    block.split('\n').filter((line) => !/^(?:#|[A-Z_]+=)/.test(line)),
  );

/** In a sentence a command may stand without what it is about: then it is only a name. */
const isWhole = (line: string): boolean => {
  if (!line.startsWith('ops ')) return true;
  const typed = line.slice('ops '.length);
  const { name = '', parameters = [] } = COMMANDS.find((command) => typed.startsWith(command.name)) ?? {};
  const needed = parameters.filter((word) => !word.startsWith('[')).length;
  return typed.split(' ').length >= name.split(' ').length + needed && typed !== 'backup';
};

/** Between backticks in sentences; in a table a pipe is escaped. */
const mentionsOf = (page: Page): string[] => {
  const prose = textOf(page).replaceAll(/^```.*?^```$/gms, '');
  const lines = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, line = '']) => line.replaceAll('\\|', '|'));
  const curls = lines.flatMap((line) => /curl -fsS "[^"]+"/.exec(line) ?? []);
  const whole = lines.filter((line) => RUN.test(line) && isWhole(line) && line !== 'npm start');
  return [...new Set([...whole, ...curls])];
};

it.each(PAGES)('every line that %s tells to type is run here, or it is said why not', (page) => {
  const lines = blocksOf(page).flat();
  const isKnown = (line: string) => RUN.test(line) || KNOWN.some((start) => line.startsWith(start));
  expect(lines.filter((line) => !isKnown(line))).toEqual([]);
});

it('the settings that README tells to put into .env are all that the server needs to start with Discord', async () => {
  const [, settings = ''] = /^printf '([^']+)' ~\/bot-tokens > \.env$/m.exec(textOf('README.md')) ?? [];
  const lines = settings
    .replace('%s', '/dev/null')
    .split(String.raw`\n`)
    .filter(Boolean);
  const env = Object.fromEntries(lines.map((line) => line.split('=') as [string, string]));
  expect(env).toEqual({ PLATFORM: 'discord', BOT_TOKENS_FILE: '/dev/null' });
  await using inPlaceOfDiscord = await startPlatform();
  await using app = startAppProcess({ ...env, ...inPlaceOfDiscord.env });
  await vi.waitFor(() => expect(app.output()).toContain('"event":"listening"'), EVENTUALLY);
});

describe('on a machine with a server', { timeout: 600_000 }, () => {
  const postgres = usePostgres();
  const folder = temporaryFolder();
  const at = (path: string): string => join(folder.path, path);
  const { mintToken } = createSandbox();
  let minted = 10;
  let env: NodeJS.ProcessEnv = {};
  let receiver: Awaited<ReturnType<typeof startHttpServer>>;
  let places: Readonly<Record<string, string>> = {};

  /** Resolves with what it prints; a token is on standard input, for whoever asks. */
  const run = async (line: string): Promise<string> => {
    const child = spawn('sh', ['-c', line], { env, cwd: folder.path, stdio: 'pipe' });
    child.stdin.on('error', () => {}).end(mintToken((minted += 1)));
    const outputs = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    const [stdout, stderr, [status]] = await outputs;
    expect([line, status, status === 0 ? '' : stdout + stderr]).toEqual([line, 0, '']);
    return stdout;
  };

  const typed = new Set<string>();
  const type = async (line: string): Promise<void> => {
    typed.add(line);
    const ask = async (command: string): Promise<string> =>
      /^([0-9a-f]+) /m.exec(await run(`ops ${command}`))?.[1] ?? '';
    const id = line.includes('tokens remove') ? await ask('tokens list') : '';
    const key = line.includes('<key>') ? await ask('vault status') : '';
    const all = { ...places, '<id>': id || '80351110224678912', '<key>': key };
    const filled = Object.entries(all).reduce((words, [from, to]) => words.replaceAll(from, to), line);
    // A person would be asked.
    const isAsked = /^ops (?:tokens remove|optout remove|vault retire|restore)\b/.test(line);
    await run(isAsked && !line.includes('--yes') ? `${filled} --yes` : filled);
  };
  const typeAll = async (lines: readonly string[]): Promise<void> => {
    for (const line of lines) await type(line);
  };
  const typeBlock = async (lines: readonly string[]): Promise<void> => {
    const here = lines.filter((line) => RUN.test(line));
    // "Before the first start", and "stop all servers".
    const needsStop = here.some((line) => /^(?:ops restore|ops vault rotate|pg_restore)/.test(line));
    const isWithin = needsStop && !here.includes('systemctl stop whoflake');
    await typeAll(isWithin ? ['systemctl stop whoflake', ...here, 'systemctl start whoflake'] : here);
  };
  /** What no page has told to type before. */
  const typeMentions = (page: Page) => typeAll(mentionsOf(page).filter((line) => !typed.has(line)));
  /** Not those with PostgreSQL, and none that starts another server here. */
  const typeBlocks = async (page: Page): Promise<void> => {
    for (const lines of blocksOf(page))
      if (!lines.some((line) => /^(?:pg_|npm start)/.test(line))) await typeBlock(lines);
  };

  beforeAll(async () => {
    receiver = await startHttpServer((_request, response) => void response.end());
    for (const name of ['bin', 'data', 'backups', 'keys']) mkdirSync(at(name), { mode: 0o700 });
    const ops = `#!/bin/sh\nexec ${process.execPath} ${join(ROOT, 'bin/ops')} "$@"\n`;
    for (const [name, script] of Object.entries({ ops, systemctl: systemctl(START, folder.path) }))
      writeFileSync(at(`bin/${name}`), script, { mode: 0o755 });
    const ports = { PORT: await freePort(), ADMIN_PORT: await freePort() };
    const files = { DATA_DIR: at('data'), KEYRING_FILE: at('keys/keyring.json') };
    const settings = { ...ports, ...files, NOTIFY_URL: `${receiver.url}/` };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(at('whoflake.env'), lines.join(''), { mode: 0o600 });
    env = {
      PATH: `${at('bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: folder.path,
      WHOFLAKE_ENV_FILE: at('whoflake.env'),
      PGSERVICEFILE: at('pg_service.conf'),
    };
    places = {
      '/var/lib/whoflake-backups': at('backups'),
      '/var/backups/whoflake': at('backups'),
      '/var/lib/whoflake': at('data'),
      'https://lookup.example.org': `http://127.0.0.1:${ports.PORT}`,
      '2026-11-15.dump': `${new Date().toISOString().slice(0, 10)}.dump`,
      '<file>': at('backups/by-hand.sqlite'),
      FILE: at('other-list.txt'),
      FOLDER: at('backups'),
      abc123: 'whoflake',
    };
    writeFileSync(at('access.log'), '203.0.113.9 - -\n');
    writeFileSync(at('tokens.txt'), mintToken(9));
    await run('systemctl start whoflake');
    copyFileSync(at('data/withdrawn.txt'), at('other-list.txt'));
    await run(`ops backup ${at('backups/whoflake-2026-11-15T00-31-07Z.sqlite')}`);
  });
  afterAll(async () => {
    await run('systemctl stop whoflake');
    await receiver[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  it.each(PAGES.filter((page) => page !== 'docs/cluster.md'))(
    'the commands in blocks and sentences of %s do what they say',
    async (page) => {
      await typeBlocks(page);
      await typeMentions(page);
    },
  );

  it('the commands of docs/cluster.md do what they say, and so do those for backups of PostgreSQL', async () => {
    const { newDatabase, installPrograms } = await postgres();
    const url = await newDatabase();
    installPrograms(at('bin'));
    const { port, pathname } = new URL(url);
    const service = `[whoflake]\nhost=127.0.0.1\nport=${port}\nuser=whoflake\ndbname=${pathname.slice(1)}\n`;
    writeFileSync(at('pg_service.conf'), service);
    writeFileSync(at('whoflake.env'), `DATABASE_URL=${url}\n`, { flag: 'a' });
    await typeBlocks('docs/cluster.md');
    await typeMentions('docs/cluster.md');
    for (const lines of blocksOf('docs/backup.md').filter(([line]) => line?.startsWith('pg_')))
      await typeBlock(lines);
    await run('ops withdrawn release --yes');
    await run('ops doctor');
  });

  it('npm start serves a page from a clone, and npm run ops works beside it', async () => {
    const data = { DATA_DIR: at('clone'), PATH: env['PATH'] ?? '', HOME: folder.path };
    await using app = startAppProcess(data, { program: 'npm', args: ['start'], cwd: ROOT });
    expect((await fetch(await app.origin)).status).toBe(200);
    const printed = await run(`cd ${ROOT} && DATA_DIR=${at('clone')} npm run --silent ops -- init`);
    expect(printed).toContain('There is already a site');
    app.signal('SIGTERM');
    await app.ended;
  });
});
