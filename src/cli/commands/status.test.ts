import { expect, it } from 'vitest';
import { PAUSED, READY, useAdminListener } from '#test/support/admin-listener.ts';
import { useOperator } from '#test/support/operator.ts';

const admin = useAdminListener();
const { ops, printed, json, dataDir } = useOperator(({ fill }) => fill());

it('the status counts what is stored, and repeats what the server says', async () => {
  expect(await json(['status'], admin)).toMatchObject({
    serving: true,
    problem: null,
    data_dir: dataDir,
    backup: null,
    records: { token_count: 2, key_count: 1, active_link_count: 1, opt_out_count: 1 },
    server: READY,
  });
  const { stdout } = await ops(['status'], admin);
  for (const line of [
    /^ok +lookups are answered$/m,
    new RegExp(`^Version +${READY.version}, up for 2 hours$`, 'm'),
    /^Tokens +2 healthy, 1 cooling, 0 on hold, 4 retired; 0 lookups waiting$/m,
  ])
    expect(stdout).toMatch(line);
});

it('the status is not ok if a visitor would be refused', async () => {
  admin.say({ ...READY, paused: { ...PAUSED, cause: 'no-tokens', until: null } });
  expect(await printed(['status'], admin)).toMatch(
    new RegExp(`^1 failed .* has paused lookups since ${PAUSED.since}: there is no working token`),
  );
});
