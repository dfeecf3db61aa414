import { expect, it } from 'vitest';
import { openDatabase } from '#server/storage/database.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { createRetirements } from './retirements.ts';

it('counts each token once, apart by reason, and knows when the platform last took one', async () => {
  using folder = temporaryFolder();
  const database = await openDatabase(`${folder.path}/database`);
  const retirements = createRetirements(database);
  expect(await retirements.count()).toEqual({ platform: 0, operator: 0, last: null });
  const at = (hour: number) => `2026-11-15T0${hour}:00:00.000Z`;
  await retirements.add({ token_id: 'a', retired_at: at(2), reason: 'platform' });
  await retirements.add({ token_id: 'b', retired_at: at(1), reason: 'platform' });
  await retirements.add({ token_id: 'b', retired_at: at(3), reason: 'platform' });
  await retirements.add({ token_id: 'c', retired_at: at(4), reason: 'operator' });
  expect(await retirements.count()).toEqual({ platform: 2, operator: 1, last: at(2) });
  await database.destroy();
});
