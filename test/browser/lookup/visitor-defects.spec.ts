import { PROFILE } from '#test/support/profile.ts';
import { expect, test } from '../support/browser-test.ts';
import {
  alert,
  card,
  fact,
  findProfile,
  idField,
  ids,
  lookUp,
  lookupButton,
  submitId,
} from '../support/lookup-page.ts';
import { answer } from '../support/server-answers.ts';

test('from the press to the card, no frame shows two scenes over each other', async ({ page }) => {
  await page.goto('/');
  await page.evaluate(() => {
    const film: [transition: boolean, scenes: number][] = [];
    Object.assign(globalThis, { film });
    const take = (): void => {
      const scenes = document.querySelectorAll('main article, main [inert]').length;
      film.push([document.documentElement.matches(':active-view-transition'), scenes]);
      requestAnimationFrame(take);
    };
    take();
  });
  await submitId(page, ids.ordinary);
  await expect(card(page)).toBeVisible();
  const film = await page.evaluate(() => (globalThis as unknown as { film: [boolean, number][] }).film);
  expect(film.filter(([transition, scenes]) => transition || scenes > 1)).toEqual([]);
});

test('nothing covers what has the focus, wherever the page is scrolled to', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 500 });
  await findProfile(page, ids.ordinary);
  await page.getByRole('contentinfo').getByRole('link').last().focus();
  let back = 0;
  for (; back < 40; back += 1) {
    await page.keyboard.press('Shift+Tab');
    const [name, covered] = await page.evaluate(() => {
      const focused = document.activeElement!;
      const { left, top, width } = focused.getBoundingClientRect();
      const seen = document.elementFromPoint(left + width / 2, Math.max(0, top) + 2);
      const related = seen !== null && (focused.contains(seen) || seen.contains(focused));
      return [focused.outerHTML.slice(0, 80), !related];
    });
    expect(covered, name).toBe(false);
    if (await idField(page).evaluate((field) => field === document.activeElement)) break;
  }
  expect(back).toBeGreaterThan(8);
});

test('a badge says its name once the pointer moves, not because it rests there', async ({ page }) => {
  await findProfile(page, ids.ordinary);
  const badge = card(page).getByRole('list', { name: 'Flags' }).getByRole('button').first();
  // The first event of a pointer tells of no movement.
  await page.mouse.move(1, 1);
  await badge.hover();
  await expect(badge.locator('span')).toHaveCSS('opacity', '1');
  // Another in between: the same again at once would be a double press.
  for (const id of [ids.animated, ids.ordinary]) {
    await submitId(page, id);
    await expect(card(page)).toContainText(id);
  }
  await expect(card(page).getByRole('heading', { level: 2 })).toBeFocused();
  await expect.poll(() => badge.evaluate((button) => button.matches(':hover'))).toBe(true);
  await expect(badge.locator('span')).toHaveCSS('opacity', '0');
});

test('a press while offline is answered at the field, until there is another answer', async ({
  page,
  context,
  problems,
}) => {
  // A challenge may be asked for ahead of the press.
  problems.expect(/ERR_INTERNET_DISCONNECTED/);
  await page.goto('/');
  await idField(page).fill(ids.ordinary);
  await expect(page.getByText('Account created 4 May 2018')).toBeVisible();
  await context.setOffline(true);
  await lookupButton(page).click();
  await expect(alert(page)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await context.setOffline(false);
  await lookupButton(page).click();
  await expect(card(page)).toBeVisible();
  await expect(alert(page)).toHaveCount(0);
});

test('the ring of a picture lies within it, and an ID below its label in text of twice the size', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await findProfile(page, ids.ordinary);
  // They stand before the heading, which has the focus.
  for (const name of [/^Avatar of/, /^Banner of/]) {
    await page.keyboard.press('Shift+Tab');
    const link = card(page).getByRole('link', { name });
    await expect(link).toBeFocused();
    await expect(link).toHaveCSS('outline-offset', '-6px');
  }
  await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));
  const tile = fact(page, 'ID').locator('..');
  const label = await tile.getByRole('term').boundingBox();
  const value = await tile.getByText(ids.ordinary).boundingBox();
  expect(value!.y).toBeGreaterThanOrEqual(label!.y + label!.height);
});

test('kind and discriminator stand right beside a name, to its left where that is next', async ({ page }) => {
  await findProfile(page, ids.bot);
  const name = await card(page).getByRole('heading', { level: 2 }).boundingBox();
  const kind = await card(page).getByText('App', { exact: true }).locator('..').boundingBox();
  expect(kind!.x - name!.x - name!.width).toBeLessThan(16);
  await page.goto(`/ar/?id=${ids.bot}`);
  const handle = card(page).getByRole('paragraph');
  const username = await handle.getByText('Snowplough', { exact: true }).boundingBox();
  const number = await handle.getByText('#0420', { exact: true }).boundingBox();
  expect(number!.x).toBeGreaterThan(username!.x);
});

test('an ID that nobody can have gets no date, or leaves the page as it is', async ({ page, problems }) => {
  problems.expect(/status of 40[04]/);
  await lookUp(page, '12345');
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: /^No profile was found for 12345/ })).toBeVisible();
  await expect(main.locator('time')).toHaveCount(0);
  // Said once: the note at the field does not lie over the answer.
  await expect(page.getByText('No account has an ID this short')).toHaveCount(1);
  await lookUp(page, '9223372036854775807');
  await expect(alert(page)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  await expect(page.getByText('More samples to try')).toBeVisible();
});

test('the button beside the date covers no letter of it, at any width', async ({ page }) => {
  const json = { ...PROFILE, avatar_url: null, created_at: '2018-09-28T22:48:58Z' };
  await answer(page, '/lookup', { status: 200, json });
  for (const path of ['/es', '/ar']) {
    await page.goto(`${path}?id=${PROFILE.id}`);
    const tile = card(page)
      .locator('dl > div')
      .filter({ has: page.locator('time') });
    await tile.waitFor();
    for (let width = 320; width < 800; width += 20) {
      await page.setViewportSize({ width, height: 740 });
      const gap = await tile.evaluate((element) => {
        const letters = document.createRange();
        letters.selectNodeContents(element.querySelector('time')!);
        const lines = [...letters.getClientRects()];
        const button = element.querySelector('[popovertarget]')!.getBoundingClientRect();
        return Math.max(
          button.left - Math.max(...lines.map(({ right }) => right)),
          Math.min(...lines.map(({ left }) => left)) - button.right,
        );
      });
      expect(gap, `${path}, ${width} px`).toBeGreaterThan(-1);
    }
  }
});
