import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PAUSED, READY, useAdminListener } from '#test/support/admin-listener.ts';
import { useOperator } from '#test/support/operator.ts';

const admin = useAdminListener();
const { ops, json, dataDir, elsewhere } = useOperator(({ addTokens }) => addTokens(1));

describe('status', () => {
  it('makes nothing where there is nothing', async () => {
    const env = { DATA_DIR: join(elsewhere, 'nothing') };
    const { exitCode, stdout } = await ops(['status'], { env });
    expect(exitCode).toBe(80);
    expect(stdout).toMatch(
      /^failed +the server does not answer at http:\/\/127\.0\.0\.1:1: .*\nThere is no database in \/.* \(no settings file found, see --env-file\): .*\nBackup +none scheduled\n$/,
    );
    expect(await json(['status'], { env })).toMatchObject({ records: null, server: null });
  });

  it('counts what is stored, and repeats what the server says', async () => {
    await ops(['vanity', 'add', 'snow', 'whoflake']);
    await ops(['vanity', 'pause', 'snow']);
    expect(await json(['status'], admin)).toEqual({
      state: 'ok',
      serving: true,
      problem: null,
      settings_file: null,
      data_dir: dataDir,
      backup: null,
      records: {
        version: 1,
        token_count: 1,
        retired_token_count: 0,
        removed_token_count: 0,
        last_retirement: null,
        key_count: 1,
        active_link_count: 0,
        paused_link_count: 1,
        opt_out_count: 0,
      },
      server: READY,
    });
    const { stdout, exitCode } = await ops(['status'], admin);
    expect(exitCode).toBe(0);
    for (const line of [
      /^ok +lookups are answered$/m,
      /^Version +0\.2\.0, up for 2 hours$/m,
      /^Last hour +41 served, 1 refused$/m,
      /^Tokens +2 healthy, 1 cooling, 0 on hold, 4 retired; 0 lookups waiting$/m,
      /^Invalid +3 of 500 in ten minutes$/m,
      /^Pace +at most 50 requests a second$/m,
      /^Disk +7000 MB free$/m,
    ])
      expect(stdout).toMatch(line);
  });

  it('is not ok if a visitor would be refused', async () => {
    admin.say({ ...READY, paused: { ...PAUSED, cause: 'no-tokens', until: null } });
    const { stdout, exitCode } = await ops(['status'], admin);
    expect([exitCode, stdout.split('\n')[0]]).toEqual([
      1,
      expect.stringMatching(`^failed .* has paused lookups since ${PAUSED.since}: there is no working token`),
    ]);
    expect(JSON.parse((await ops(['status', '--json'], admin)).stdout)).toMatchObject({
      state: 'failed',
      serving: false,
    });
  });
});
