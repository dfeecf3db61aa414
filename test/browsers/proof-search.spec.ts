import { expect } from '@playwright/test';
import { test } from './journey-test.ts';
import { startWithoutWasm } from './without-wasm.ts';

test('a proof is searched for with vectors', async ({ visitor }) => {
  await visitor.open('/');
  await visitor.watchWorkers();
  await visitor.fill('Discord ID', '441997505123577857');
  await visitor.press('button', 'Lookup');
  await visitor.see('heading', 'Marlow Finch');
  expect(await visitor.foundByWorkers()).toEqual([expect.objectContaining({ simd: true })]);
});

test('where WebAssembly may not be compiled, a proof is found without it', async ({ visitor, server }) => {
  await using site = await startWithoutWasm(server.origin);
  await visitor.open(`${site.origin}/`);
  await visitor.watchWorkers();
  await visitor.fill('Discord ID', '441997505123577857');
  await visitor.press('button', 'Lookup');
  await visitor.see('heading', 'Marlow Finch');
  expect(await visitor.foundByWorkers()).toEqual([expect.objectContaining({ simd: false })]);
});
