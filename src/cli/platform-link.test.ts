import { expect, it, vi } from 'vitest';
import { StorageFault } from '#server/storage/storage-fault.ts';
import { realSystem } from '#server/system.ts';
import { useOperator } from '#test/support/operator.ts';
import { configOf } from '#test/support/well-formed.ts';
import { createPlatformLink } from './platform-link.ts';

const site = useOperator();

it('a command that cannot use what the servers share does not go on asking for it', async () => {
  const close = vi.fn(async () => {});
  const start = () => Promise.reject(new StorageFault('57014'));
  await site.look(async (records) => {
    const openState: typeof records.openState = (deps) => ({ ...records.openState(deps), start, close });
    const openRecords = async () => ({ ...records, openState });
    const link = createPlatformLink({
      config: configOf({ ADMIN_PORT: '1' }),
      system: realSystem,
      openRecords,
    });
    await expect(link).rejects.toMatchObject({ code: '57014' });
  });
  expect(close).toHaveBeenCalledOnce();
});
