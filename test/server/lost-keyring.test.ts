import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useOperator, type Operator } from '#test/support/operator.ts';

const ROOT = join(import.meta.dirname, '../..');
const ID = '441997505123577857';

const recipe = (): string => {
  const runbook = readFileSync(join(ROOT, 'docs/backup.md'), 'utf8');
  const [, chapter = ''] = runbook.split('## The keyring is lost for good\n');
  const [, commands = ''] = /```sh\n(.*?)```/s.exec(chapter) ?? [];
  return commands;
};

/** On the folder of a test instead of the machine's, and without a systemd. */
const follow = ({ dataDir }: Operator) => {
  const script = `
    systemctl() { echo "systemctl $*"; }
    ops() { '${process.execPath}' '${ROOT}/bin/ops' "$@"; }
    set -e
    ${recipe().replaceAll('/var/lib/whoflake', dataDir)}`;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script], {
    cwd: dataDir,
    env: { DATA_DIR: dataDir, ADMIN_PORT: '1', HOME: dataDir },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

/** Two tokens, a link and an opt-out; then a rotation and a second opt-out. */
const site = useOperator(async ({ ops, fill, dataDir }) => {
  await fill();
  copyFileSync(join(dataDir, 'keyring.json'), join(dataDir, 'copy-of-the-keyring'));
  await ops(['vault', 'rotate']);
  await ops(['optout', 'add', '776367000573177858']);
});
const keyring = join(site.dataDir, 'keyring.json');
const olderCopy = join(site.dataDir, 'copy-of-the-keyring');

describe('a keyring that is lost for good', () => {
  it('takes tokens and opt-outs with it, and leaves the links', async () => {
    rmSync(keyring);
    expect(await site.ops(['vanity', 'list'])).toMatchObject({ exitCode: 70 });
    const { status, stdout, stderr } = follow(site);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^systemctl stop whoflake\n.*: 1 vanity link, 0 opt-outs, 0 tokens\.\n2 opt-outs lost: .*\n2 tokens lost: /,
    );
    expect(stdout).toMatch(/\nsystemctl start whoflake\n$/);
    expect(await site.json(['status'])).toMatchObject({
      records: { token_count: 0, active_link_count: 1, opt_out_count: 0, key_count: 1 },
    });
    expect(await site.json(['vanity', 'list'])).toMatchObject({ links: [{ name: 'snow' }] });
    // A whole site again: what is added now is there.
    await site.ops(['tokens', 'add'], { input: site.sandbox.mintToken(1) });
    await site.ops(['optout', 'add', ID]);
    expect(await site.json(['status'])).toMatchObject({ records: { token_count: 1, opt_out_count: 1 } });
  });

  it('of which there is a copy from before a rotation saves the opt-outs too', async () => {
    const lost = `${keyring}.lost`;
    renameSync(keyring, lost);
    copyFileSync(olderCopy, keyring);
    expect(await site.ops(['status'])).toMatchObject({ exitCode: 72 });
    const { status, stdout } = follow(site);
    expect(status).toBe(0);
    expect(stdout).toMatch(/: 1 vanity link, 2 opt-outs, 0 tokens\.\n2 tokens lost: /);
    expect(await site.ops(['optout', 'remove', ID, '--yes'])).toMatchObject({ exitCode: 0 });

    // The keyring turns up after all.
    const [, aside = ''] = /^The old files are in (.*)\.$/m.exec(stdout) ?? [];
    renameSync(lost, keyring);
    expect(await site.ops(['restore', join(aside, 'whoflake.sqlite'), '--yes'])).toMatchObject({
      exitCode: 0,
    });
    expect(await site.json(['status'])).toMatchObject({ records: { token_count: 2, opt_out_count: 2 } });
  });

  it('that was not lost loses nothing', async () => {
    expect(follow(site)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/2 opt-outs, 2 tokens\.\n(?!.*lost)/),
    });
    expect(await site.json(['status'])).toMatchObject({ records: { token_count: 2, opt_out_count: 2 } });
    expect(await site.ops(['tokens', 'list'])).toMatchObject({ exitCode: 0 });
  });

  it('is not replaced without a word, nor from something else', async () => {
    const database = join(site.dataDir, 'whoflake.sqlite');
    expect(await site.ops(['init', '--from', database])).toMatchObject({ exitCode: 2 });
    expect(await site.ops(['init', '--from', olderCopy, '--yes'])).toMatchObject({
      exitCode: 74,
      stderr: expect.stringContaining('not a database'),
    });
    expect(existsSync(database)).toBe(true);
    expect(await site.json(['status'])).toMatchObject({ records: { token_count: 2 } });
  });
});
