import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startAppProcess } from '#test/support/app-process.ts';
import { startOperator } from '#test/support/operator.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { COMMANDS } from './commands.ts';

const MAIN = join(import.meta.dirname, 'main.ts');
const isRoot = process.getuid?.() === 0;
/** Rights do not bind root, so it is nobody who runs it, unless nobody may read this checkout. */
const ordinaryUser = isRoot ? { uid: 65_534, gid: 65_534 } : {};
const nobodyMayRun =
  spawnSync(process.execPath, ['-e', 'fs.readFileSync(process.argv[1])', MAIN], ordinaryUser).status === 0;

describe('the command line', () => {
  it('helps', async () => {
    await using operator = await startOperator();
    const { stdout, exitCode } = await operator.ops([]);
    expect(exitCode).toBe(0);
    for (const { name, summary } of COMMANDS) {
      expect(stdout).toContain(`  ${name} `);
      expect(stdout).toContain(summary);
    }
    expect((await operator.ops(['vault', 'retire', '--help'])).stdout).toBe(
      'ops vault retire <key>\n' +
        '  removes an old key from the keyring; backups sealed with it can no longer be restored\n' +
        '  --dry-run  show what would change, and change nothing\n' +
        '  Asks for confirmation first; --yes skips that.\n',
    );
    expect((await operator.ops(['--version'])).stdout).toBe('1.2.3\n');
  });

  it('has a dry run wherever something is deleted or replaced', () => {
    // `init --from` begins a new site beside what is there.
    const names = COMMANDS.filter(({ destroys, options = {} }) => destroys && !('dry-run' in options));
    expect(names.map(({ name }) => name)).toEqual(['init']);
  });

  it('reports every wrong setting as the server does', async () => {
    await using operator = await startOperator();
    const env = { PORT: 'x', LOG_LEVEL: 'loud' };
    expect(await operator.ops(['status'], { env })).toEqual({
      exitCode: 78,
      stdout: '',
      stderr: expect.stringMatching(/^2 settings are wrong:\n {2}PORT: .*\n {2}LOG_LEVEL: .*\n$/),
    });
    const { exitCode, stdout, stderr } = await operator.ops(['status', '--json'], { env });
    expect([exitCode, stderr]).toEqual([78, '']);
    expect(JSON.parse(stdout)).toEqual({ state: 'failed', error: expect.stringContaining('PORT: ') });
  });

  it('prints one JSON document for a mistake, too', async () => {
    await using operator = await startOperator();
    const { exitCode, stdout, stderr } = await operator.ops(['frob', '--json']);
    expect([exitCode, stderr]).toEqual([2, '']);
    expect(JSON.parse(stdout)).toEqual({
      state: 'failed',
      error: 'Unknown command frob: see help.',
    });
  });

  it('ends as the server does where records cannot be trusted', async () => {
    await using operator = await startOperator();
    const { ops, config, dataDir } = operator;
    await ops(['optout', 'add', '441997505123577857']);
    const ring = readFileSync(config.keyringFile);
    chmodSync(config.keyringFile, 0o644);
    expect(await ops(['optout', 'list'])).toMatchObject({ exitCode: 73 });
    rmSync(config.keyringFile);
    expect(await ops(['optout', 'list'])).toMatchObject({ exitCode: 70 });
    writeFileSync(config.keyringFile, ring, { mode: 0o600 });
    expect(await ops(['optout', 'list'])).toMatchObject({ exitCode: 0 });
    writeFileSync(join(dataDir, 'whoflake.sqlite'), 'x'.repeat(9_000));
    expect(await ops(['optout', 'list'])).toMatchObject({ exitCode: 74 });
  });

  it('makes nothing as root in the folder of another user', async () => {
    await using operator = await startOperator();
    const { ops, dataDir } = operator;
    if (process.getuid?.() === 0) chownSync(dataDir, 1000, 1000);
    expect(await ops(['optout', 'add', '441997505123577857'], { uid: 0 })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^\S+ belongs to \S+, not root: .* runuser -u \S+ -- in front\.\n$/),
    });
    expect(readdirSync(dataDir)).toEqual([]);
    rmSync(dataDir, { recursive: true });
    expect(await ops(['status'], { uid: 0 })).toMatchObject({ exitCode: 0 });
  });

  it.skipIf(!nobodyMayRun).each(['status', 'doctor', 'tokens list', 'migrate', 'backup /tmp/nowhere'])(
    'does not take a folder for empty that it may not look into: %s',
    async (command) => {
      using folder = temporaryFolder();
      const dataDir = join(folder.path, 'data');
      mkdirSync(dataDir, { mode: isRoot ? 0o700 : 0o000 });
      chmodSync(folder.path, 0o755);
      await using ops = startAppProcess(
        { DATA_DIR: dataDir },
        {
          program: process.execPath,
          args: [MAIN, ...command.split(' ')],
          ...ordinaryUser,
        },
      );
      expect(await ops.ended).toEqual({
        exitCode: 2,
        stderr: `This user may not open ${dataDir}: run this as its owner, for example as root with runuser -u ${userInfo().username} -- in front.\n`,
      });
      expect(ops.output()).not.toContain('no database');
    },
  );

  it('says that the disk failed, and not more', async () => {
    await using operator = await startOperator();
    await operator.ops(['vanity', 'add', 'snow', 'whoflake']);
    await operator.look(({ database }) =>
      database.schema.alterTable('vanity_link').renameTo('gone').execute(),
    );
    expect(await operator.ops(['vanity', 'list'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'The data could not be read or written: check the disk and the owner of DATA_DIR.\n',
    });
  });
});
