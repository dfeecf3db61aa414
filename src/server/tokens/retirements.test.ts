import { describe, expect, test } from 'vitest';
import { useDialects } from '#test/support/databases.ts';
import { createRetirements } from './retirements.ts';

describe.each(useDialects())('on $name', ({ missing, create }) => {
  const it = test.skipIf(missing !== null);
  it('retired tokens are counted once each, by reason, and it is known when the platform last took one', async () => {
    await using test = await create();
    const retirements = createRetirements((await test.open()).database);
    expect(await retirements.count()).toEqual({ platform: 0, operator: 0, last: null });
    const at = (hour: number) => `2026-11-15T0${hour}:00:00.000Z`;
    await retirements.add({ token_id: 'a', retired_at: at(2), reason: 'platform' });
    await retirements.add({ token_id: 'b', retired_at: at(1), reason: 'platform' });
    await retirements.add({ token_id: 'b', retired_at: at(3), reason: 'platform' });
    await retirements.add({ token_id: 'c', retired_at: at(4), reason: 'operator' });
    expect(await retirements.count()).toEqual({ platform: 2, operator: 1, last: at(2) });
  });
});
