import manifest from '#package.json' with { type: 'json' };
import { layoutFaults } from '../languages/layout-faults.ts';
import { expectNoAxeViolations } from '../support/axe.ts';
import { expect, test as base } from '../support/browser-test.ts';
import { allScenes } from './all-scenes.ts';
import { asInEnglish } from './as-in-english.ts';
import { FILLER, startPseudoSite, type PseudoSite } from './pseudo-site.ts';
import { smallTargets } from './small-targets.ts';
import { strayTexts } from './stray-texts.ts';

const test = base.extend<object, { pseudoSite: PseudoSite }>({
  pseudoSite: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright demands a pattern
    async ({}, use) => {
      await using site = await startPseudoSite();
      await use(site);
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ pseudoSite }, use) => use(pseudoSite.origin),
});

// A new browser process for each takes a quarter more CPU time. A clock would survive into the next scene; none is set.
test.use({ reuseContext: true });

/** Of the site and of people, and the words of the browser for those who look for a fault. */
const NAMES = [
  manifest.version,
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
];
const DESKTOP = { width: 1280, height: 720 };
const PHONE = { width: 360, height: 740 };

/** They have colours beyond the pairs that `theme-contrast.test.ts` checks. Another theme changes nothing but colours. */
const CHECKED_IN_DARK = new Set(['lookup', 'result-animated', 'captcha-refused']);

for (const { name, open, logs } of allScenes) {
  test(`${name}: every text is in the table and has room, and axe finds nothing`, async ({
    page,
    problems,
  }) => {
    if (logs) problems.expect(logs);
    await page.setViewportSize(PHONE);
    await open(page);
    expect.soft(await page.evaluate(strayTexts, NAMES)).toEqual([]);
    expect.soft(await page.evaluate(layoutFaults)).toEqual([]);
    await page.evaluate(() => void (document.documentElement.dir = 'rtl'));
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      expect.soft(await page.evaluate(layoutFaults), 'from right to left').toEqual([]);
    }
    await page.evaluate(() => void (document.documentElement.dir = 'ltr'));
    await page.evaluate(asInEnglish, FILLER);
    await expectNoAxeViolations(page);
    if (CHECKED_IN_DARK.has(name)) {
      await page.emulateMedia({ colorScheme: 'dark' });
      await expectNoAxeViolations(page, ['color-contrast']);
    }
    await page.setViewportSize(PHONE);
    expect.soft(await page.evaluate(smallTargets)).toEqual([]);
  });
}

test('texts that have no room or are not in the table, and small targets, would be found', async ({
  page,
}) => {
  await page.setContent(`
    <div style="width: 40px; overflow: hidden; white-space: nowrap">⟦Too long by far⟧</div>
    <p style="height: 20px; margin: 0">⟦One⟧</p>
    <p style="margin: -20px 0 0">⟦Other⟧ <b title="plain">word</b></p>`);
  expect(await page.evaluate(layoutFaults)).toEqual([
    expect.stringContaining('“⟦Too long by far⟧” hangs out of <div'),
    '“⟦One⟧” lies over “⟦Other⟧”',
  ]);
  expect(await page.evaluate(strayTexts, [])).toEqual(['B word', 'B title plain']);

  await page.setContent(
    '<button style="height: 50px" title="⟦Any one two three⟧">⟦Or one two three⟧</button>',
  );
  await page.evaluate(asInEnglish, FILLER);
  expect(await page.evaluate(smallTargets)).toEqual([
    expect.stringContaining('<button style="height: 50px" title="Any">Or</button>'),
  ]);
});
