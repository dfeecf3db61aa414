import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createStaticFile } from '../site/static-file.ts';
import { onceASecond } from './static-routes.ts';

it('renders the status page once a second at most', async () => {
  const { clock, advance } = createFakeSystem();
  let rendered = 0;
  const page = onceASecond(clock, () => {
    rendered += 1;
    return createStaticFile(() => Buffer.from(''), 'text/html');
  });
  expect([page() === page(), rendered]).toEqual([true, 1]);
  await advance(999);
  expect([page(), rendered]).toEqual([page(), 1]);
  await advance(1);
  expect([page() === page(), rendered]).toEqual([true, 2]);
});
