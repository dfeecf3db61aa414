import { createSandbox } from '#sandbox/sandbox.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { expect, test } from '../support/browser-test.ts';
import { card, idField, ids, lookUp, lookupButton } from '../support/lookup-page.ts';

const property = (html: string, name: string): string | undefined =>
  new RegExp(`<meta property="${name}" content="([^"]*)"`).exec(html)?.[1];

test('a shared link fills the field and waits for the visitor', async ({ page }) => {
  const posts: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
  await page.goto(`/?id=${ids.ordinary}`);
  await expect(idField(page)).toHaveValue(ids.ordinary);
  await expect(page.getByText('Someone shared this ID. Press Lookup to see the profile.')).toBeVisible();
  await expect(page.getByText('Account created 4 May 2018')).toBeVisible();
  await expect(lookupButton(page)).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(posts).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(card(page)).toBeVisible();
});

test('a result has an address, which can be copied and comes back with the page', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.clock.install();
  await lookUp(page, ids.ordinary);
  await expect(page).toHaveURL(`/?id=${ids.ordinary}`);
  // What is shown for a moment stays until it was looked at.
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('Copied.')).toBeAttached();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  await page.goto('/donate');
  await page.goBack();
  await expect(idField(page)).toHaveValue(ids.ordinary);
});

test('the preview of a shared link tells the creation date only, and costs no token', async ({ request }) => {
  const sandbox = createSandbox();
  const { apiUrl, cdnUrl } = await sandbox.listen();
  await using app = startAppProcess({
    DISCORD_API_URL: apiUrl,
    DISCORD_CDN_URL: cdnUrl,
    BOT_TOKENS: sandbox.mintToken(1),
  });
  const html = await (await request.get(`${await app.origin}/?id=${ids.ordinary}`)).text();
  expect(property(html, 'og:title')).toBe(`Discord ID ${ids.ordinary}`);
  expect(property(html, 'og:description')).toContain('4 May 2018');
  expect(html).not.toMatch(/<(?:title|meta)[^>]*(?:marlow|finch)/i);
  expect(sandbox.stats().requests).toBe(0);
  await sandbox.close();
});

test('the preview of a link without a valid ID is that of the lookup page', async ({ request }) => {
  const plain = await (await request.get('/')).text();
  for (const id of ['"><script>alert(1)</script>', 'hello', '0', '9'.repeat(30), `${ids.ordinary}&id=2`]) {
    const html = await (await request.get(`/?id=${encodeURIComponent(id)}`)).text();
    expect.soft(property(html, 'og:title'), id).toBe(property(plain, 'og:title'));
    expect.soft(html, id).not.toContain('alert(1)');
  }
});
