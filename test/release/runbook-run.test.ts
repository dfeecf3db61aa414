// @module-tag slow
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox } from '#sandbox/sandbox.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { usePostgres } from '#test/support/databases.ts';
import { freePort } from '#test/support/free-port.ts';
import { startHttpServer } from '#test/support/http-server.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { SYSTEMCTL } from './packaging/release-machine.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = ['README.md', 'docs/operations.md', 'docs/backup.md', 'docs/cluster.md'] as const;
type Page = (typeof PAGES)[number];

/** How lines begin that are run here, as they are printed but for paths, ports and what stands in angle brackets. */
const RUN =
  /^(?:ops |npm start$|sqlite3 |awk |curl -fsS |pg_dump |pg_restore |systemctl (?:start|stop) whoflake$)/;
/** Why others are not, and how those begin. */
const NOT_HERE = {
  'there is no Docker engine': ['docker'],
  'it would run itself': ['npm test'],
  'with Discord: runbook-commands.test.ts does so': ["printf 'PLATFORM", 'npm start'],
  'it needs a release or a public repository': ['sha256sum', 'tar', 'git', 'cd'],
  'a person types': ['editor'],
  'it needs a public name': ['certbot'],
  'it changes the machine': ['install', 'apt', 'cp', 'printf', 'sed', 'nginx', 'systemctl', 'rm', 'userdel'],
  'test/packaging runs it': ['/opt/whoflake/current/ops/upgrade.sh'],
  'the test has a server and a database already': ['createuser', 'createdb'],
  'there is one machine': ['scp', 'ssh'],
};

const textOf = (page: Page): string => readFileSync(join(ROOT, page), 'utf8');
const isSetting = (line: string): boolean => /^(?:#|[A-Z_]+=)/.test(line);
const blocksOf = (page: Page): string[][] =>
  [...textOf(page).matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, block = '']) =>
    block.split('\n').filter((line) => !isSetting(line)),
  );

/** Between backticks in sentences; in a table a pipe is escaped. A name without what it is about is only a name. */
const mentionsOf = (page: Page): string[] => {
  const prose = textOf(page).replaceAll(/^```.*?^```$/gms, '');
  const lines = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, line = '']) => line.replaceAll('\\|', '|'));
  const curls = lines.flatMap((line) => /curl -fsS "[^"]+"/.exec(line) ?? []);
  return [...new Set([...lines.filter((line) => RUN.test(line) && isWhole(line)), ...curls])];
};

const isWhole = (line: string): boolean => {
  const [, ...words] = line.split(' ');
  const command = COMMANDS.find(({ name }) => words.join(' ').startsWith(name));
  if (!line.startsWith('ops ')) return true;
  const needed = command?.parameters.filter((word) => !word.startsWith('[')).length ?? 0;
  const isBare = words.length < (command?.name.split(' ').length ?? 1) + needed;
  return !isBare && line !== 'ops backup' && words[0] !== 'move-records';
};

it.each(PAGES)('of %s every line is run here, or it is said why not', (page) => {
  const known = Object.values(NOT_HERE).flat();
  const lines = blocksOf(page).flat();
  expect(lines.filter((line) => !RUN.test(line) && !known.some((start) => line.startsWith(start)))).toEqual(
    [],
  );
});

const receiver = await startHttpServer((_request, response) => void response.end());

describe('on a machine with a server', () => {
  const postgres = usePostgres();
  const folder = temporaryFolder();
  const at = (path: string): string => join(folder.path, path);
  const settings = at('whoflake.env');
  const { mintToken } = createSandbox();
  let minted = 10;
  let origin = '';
  let env: NodeJS.ProcessEnv = {};

  /** Resolves with what it prints; a token is on standard input, for whoever asks. */
  const run = async (line: string): Promise<string> => {
    const child = spawn('sh', ['-c', line], { env, cwd: folder.path, stdio: 'pipe' });
    child.stdin.on('error', () => {});
    child.stdin.end(mintToken((minted += 1)));
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    // It refuses until the server has the new key, and says that this takes seconds.
    if (stderr.includes('notices it within seconds')) return run(line);
    expect([line, status, status === 0 ? '' : stdout + stderr]).toEqual([line, 0, '']);
    return stdout;
  };
  const ask = async <T>(command: string): Promise<T> => JSON.parse(await run(`ops ${command} --json`)) as T;

  const fill = async (line: string): Promise<string> => {
    const { tokens = [] } = line.includes('tokens remove')
      ? await ask<{ tokens?: { id: string }[] }>('tokens list')
      : {};
    const { keys = [] } = line.includes('<key>')
      ? await ask<{ keys?: { key: string }[] }>('vault status')
      : {};
    const places = {
      '/var/lib/whoflake-backups': at('backups'),
      '/var/backups/whoflake': at('backups'),
      '/var/lib/whoflake': at('data'),
      '/etc/bash_completion.d': folder.path,
      'https://lookup.example.org': origin,
      '2026-11-15.dump': `${new Date().toISOString().slice(0, 10)}.dump`,
      '<id>': tokens[0]?.id ?? '80351110224678912',
      '<key>': keys[0]?.key ?? '',
      '<file>': at('backups/by-hand.sqlite'),
      FILE: at('other-list.txt'),
      abc123: 'whoflake',
    };
    const filled = Object.entries(places).reduce((text, [from, to]) => text.replaceAll(from, to), line);
    // A person would be asked.
    const isAsked = /^ops (?:tokens remove|optout remove|vault retire|restore|move-records)\b/.test(line);
    return isAsked ? `${filled} --yes` : filled;
  };
  const typed = new Set<string>();
  const type = async (line: string): Promise<unknown> => {
    typed.add(line);
    return run(await fill(line));
  };
  /** What no page has told to type before. */
  const typeMentions = async (page: Page): Promise<void> => {
    for (const line of mentionsOf(page).filter((one) => one !== 'npm start' && !typed.has(one)))
      await type(line);
  };
  const typeBlock = async (lines: readonly string[]): Promise<void> => {
    const here = lines.filter((line) => RUN.test(line));
    // "Before the first start", and "stop all servers".
    const needsStop = here.some((line) => /^(?:ops restore|pg_restore)/.test(line));
    const stops = needsStop && !here.includes('systemctl stop whoflake') ? ['systemctl stop whoflake'] : [];
    for (const line of [...stops, ...here, ...(stops.length > 0 ? ['systemctl start whoflake'] : [])])
      await type(line);
  };
  /** Not those with PostgreSQL, and none that starts another server here. */
  const blocks = (page: Page): string[][] =>
    blocksOf(page).filter((lines) => !lines.some((line) => /^(?:pg_|npm start)/.test(line)));

  beforeAll(async () => {
    for (const name of ['bin', 'opt', 'data', 'backups', 'keys']) mkdirSync(at(name), { mode: 0o700 });
    symlinkSync(ROOT, at('opt/current'));
    const scripts = {
      ops: `exec ${process.execPath} ${join(ROOT, 'bin/ops')} "$@"`,
      systemd: SYSTEMCTL,
      systemctl: `[ "$1" = stop ] && exec ${at('bin/systemd')} stop; exec ${at('bin/systemd')} restart`,
    };
    for (const [name, script] of Object.entries(scripts))
      writeFileSync(at(`bin/${name}`), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const [port, adminPort, sandboxPort] = [await freePort(), await freePort(), await freePort()];
    origin = `http://127.0.0.1:${port}`;
    writeFileSync(
      settings,
      `PORT=${port}\nADMIN_PORT=${adminPort}\nSANDBOX_PORT=${sandboxPort}
STOP_DELAY_SECONDS=0\nDATA_DIR=${at('data')}\nKEYRING_FILE=${at('keys/keyring.json')}
NOTIFY_URL=${receiver.url}/\n`,
      { mode: 0o600 },
    );
    env = {
      PATH: `${at('bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: folder.path,
      WHOFLAKE_HOME: at('opt'),
      WHOFLAKE_ENV_FILE: settings,
      PGSERVICEFILE: at('pg_service.conf'),
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

  const parts = (['README.md', 'docs/operations.md', 'docs/backup.md'] as const).flatMap((page) => [
    ['blocks', page] as const,
    ['sentences', page] as const,
  ]);
  it.each(parts)('the %s of %s do what they say', async (part, page) => {
    if (part === 'sentences') return typeMentions(page);
    for (const lines of blocks(page)) await typeBlock(lines);
  });

  it.skipIf(POSTGRES_MISSING !== null)('so do docs/cluster.md and the backups of PostgreSQL', async () => {
    const { newDatabase, installPrograms } = await postgres();
    const url = await newDatabase();
    installPrograms(at('bin'));
    const { port, pathname } = new URL(url);
    writeFileSync(
      at('pg_service.conf'),
      `[whoflake]\nhost=127.0.0.1\nport=${port}\nuser=whoflake\ndbname=${pathname.slice(1)}\n`,
    );
    writeFileSync(settings, `DATABASE_URL=${url}\n`, { flag: 'a' });
    for (const lines of blocks('docs/cluster.md')) await typeBlock(lines);
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
