import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseConfig, settingNames } from '#server/config.ts';
import { STOP_MS } from '#server/deadlines.ts';
import { EXIT } from '#server/operator-error.ts';
import { START } from '#test/support/app-process.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');
const unit = read('ops/whoflake.service');
const example = parseEnv(read('ops/whoflake.env.example'));

const ANALYZE = '/usr/bin/systemd-analyze';
/** Ten times what systemd reckons as exposure, from 0 for none to 10. */
const MAX_EXPOSURE = 15;

describe('ops/whoflake.env.example', () => {
  it('is a configuration that the server starts with', () => {
    expect(parseConfig(example, () => '')).toMatchObject({ ok: true });
  });

  it('holds no setting that does not exist', () => {
    expect(Object.keys(example).filter((name) => !settingNames().includes(name))).toEqual([]);
  });
});

const NODE_KNOWS_NO_SUCH_OPTION = 9;

describe('ops/whoflake.service', () => {
  it('starts programs that there are, with the settings that ops reads', () => {
    const commands = [
      ...unit.matchAll(/^Exec\w+=-?\/opt\/whoflake\/current\/bin\/node (?:--\S+ )*(\S+)/gm),
    ].map(([, file]) => file);
    expect(commands).toEqual(['bin/ops', 'bin/whoflake', 'bin/ops']);
    for (const file of commands)
      expect(existsSync(join(import.meta.dirname, '../../..', file ?? ''))).toBe(true);
    expect(unit).toContain('Environment=WHOFLAKE_ENV_FILE=/etc/whoflake/whoflake.env\n');
    expect(unit).not.toContain('EnvironmentFile=');
  });

  it('starts the server with the options that npm start has', () => {
    expect(unit).toContain(`\nExecStart=/opt/whoflake/current/bin/${START}\n`);
  });

  it('does not start again what another start would not fix', () => {
    const fixable = new Set(['done', 'failed', 'badInput', 'databaseUnreachable']);
    const unfixable = Object.entries(EXIT).filter(([name]) => !fixable.has(name));
    const named = /^RestartPreventExitStatus=(.*)$/m.exec(unit)?.[1]?.split(' ').map(Number);
    const codes = unfixable.map(([, code]) => code).toSorted((a, b) => a - b);
    expect(named).toEqual([NODE_KNOWS_NO_SUCH_OPTION, ...codes]);
  });

  it('lets the server answer what is under way', () => {
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(STOP_MS / 1_000);
  });

  it('lets the server write where the example says it writes', () => {
    const folders = /^StateDirectory=(.*)$/m.exec(unit)?.[1]?.split(' ') ?? [];
    const [data, keys, backups] = folders.map((name) => `/var/lib/${name}`);
    expect(example['DATA_DIR']).toBe(data);
    expect(example['KEYRING_FILE']).toBe(`${keys}/keyring.json`);
    expect(example['BACKUP_DIR']).toBe(backups);
  });
});

describe.runIf(existsSync(ANALYZE))('ops/whoflake.service', () => {
  const name = 'whoflake.service';
  it.each([
    ['is understood by systemd, word for word', ['verify', '--man=no']],
    ['exposes little', ['security', '--offline=true', `--threshold=${MAX_EXPOSURE}`]],
  ])('%s', (_name, args) => {
    using folder = temporaryFolder();
    const path = join(folder.path, name);
    writeFileSync(path, read(`ops/${name}`).replaceAll('/opt/whoflake/current/bin/node', process.execPath));
    const { status, stderr } = spawnSync(ANALYZE, [...args, '--no-pager', path], { encoding: 'utf8' });
    expect([stderr, status]).toEqual(['', 0]);
  });
});
