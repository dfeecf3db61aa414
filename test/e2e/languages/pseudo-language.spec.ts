import { expect, test as base } from '../support/browser-test.ts';
import { allScenes } from '../scenes/all-scenes.ts';
import { layoutFaults } from './layout-faults.ts';
import { startPseudoSite, type PseudoSite } from './pseudo-site.ts';
import { strayTexts } from './stray-texts.ts';

const test = base.extend<object, { pseudoSite: PseudoSite }>({
  pseudoSite: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright demands a pattern
    async ({}, use) => {
      await using site = await startPseudoSite();
      await use(site);
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ pseudoSite }, use) => use(pseudoSite.origin),
});

/** Of the site and of people, and the words of the browser for those who look for a fault. */
const NAMES = [
  'Whoflake',
  'Marlow Finch',
  'Aurora ✦ Quill',
  'Snowplough',
  'Quiet Harbor',
  'Banner Bearer',
  'Tobias Reed',
  'photognp.exe منقول',
  'HYPESQUAD_ONLINE_HOUSE_3',
  'WD-…',
  'Failed to fetch',
];
const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 720 };

for (const { name, open, logs } of allScenes) {
  test(`every text of ${name} is in the table, and there is room for longer ones in both directions`, async ({
    page,
    problems,
  }) => {
    if (logs) problems.expect(logs);
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(page);
    expect.soft(await page.evaluate(strayTexts, NAMES)).toEqual([]);
    expect.soft(await page.evaluate(layoutFaults)).toEqual([]);
    await page.evaluate(() => void (document.documentElement.dir = 'rtl'));
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      expect.soft(await page.evaluate(layoutFaults), 'from right to left').toEqual([]);
    }
  });
}

test('texts that are cut off, lie over others or are not in the table would be found', async ({ page }) => {
  await page.setContent(`
    <div style="width: 40px; overflow: hidden; white-space: nowrap">⟦Too long by far⟧</div>
    <p style="height: 20px; margin: 0">⟦One⟧</p>
    <p style="margin: -20px 0 0">⟦Other⟧ <b title="plain">word</b></p>`);
  expect(await page.evaluate(layoutFaults)).toEqual([
    expect.stringContaining('“⟦Too long by far⟧” hangs out of <div'),
    '“⟦One⟧” lies over “⟦Other⟧”',
  ]);
  expect(await page.evaluate(strayTexts, [])).toEqual(['B word', 'B title plain']);
});
