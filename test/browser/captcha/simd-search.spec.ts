import type { Page } from '@playwright/test';
import { watchWorkers } from '#test/release/browsers/watch-workers.ts';
import { expect, test } from '../support/browser-test.ts';
import { ids, lookUp } from '../support/lookup-page.ts';
import { expectProfile } from './widget.ts';

const WORKER = /\/assets\/sha256-worker-[\w-]+\.js$/;
const COMPILE = 'new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0))';

const foundIn = (page: Page): Promise<unknown> => page.evaluate('found');

test('a proof is searched for with vectors', async ({ page }) => {
  await page.addInitScript(watchWorkers);
  await lookUp(page, ids.ordinary);
  await expectProfile(page);
  expect(await foundIn(page)).toEqual([expect.objectContaining({ simd: true })]);
});

test('where WebAssembly may not be compiled, a proof is found without it', async ({ page }) => {
  await page.addInitScript(watchWorkers);
  const policy = (await page.request.get('/')).headers()['content-security-policy'] ?? '';
  await page.route(WORKER, async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), 'content-security-policy': policy };
    await route.fulfill({ response, headers });
  });
  await lookUp(page, ids.ordinary);
  await expectProfile(page);
  expect(await foundIn(page)).toEqual([expect.objectContaining({ simd: false })]);
});

test('neither the page nor another worker may compile WebAssembly', async ({ page, problems }) => {
  problems.expect(/wasm-eval/);
  const attack = `try { ${COMPILE}; TELL('compiled') } catch (error) { TELL(error.name) }`;
  const headers = (await page.request.get('/')).headers();
  const serve = (path: string, body: string) =>
    page.route(path, (route) =>
      route.fulfill({ body, headers: { ...headers, 'content-type': 'text/javascript' } }),
    );
  await serve('/assets/in-page.js', attack.replaceAll('TELL', 'tell'));
  await serve('/assets/in-worker.js', attack.replaceAll('TELL', 'postMessage'));
  await page.goto('/');
  const told: string[] = [];
  await page.exposeFunction('tell', (text: string) => void told.push(text));
  await page.addScriptTag({ url: '/assets/in-page.js' });
  await page.evaluate(
    "new Worker('/assets/in-worker.js').addEventListener('message', ({ data }) => tell(data))",
  );
  await expect.poll(() => told).toEqual(['CompileError', 'CompileError']);
});
