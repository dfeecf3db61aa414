import { openRecords } from '#server/open-records.ts';
import { realSystem } from '#server/system.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { vanityLink } from '#test/support/vanity-link.ts';
import { configOf } from '#test/support/well-formed.ts';
import arabic from '#texts/ar.json' with { type: 'json' };
import { layoutFaults } from '../languages/layout-faults.ts';
import { expectNoAxeViolations } from '../support/axe.ts';
import { expect, test } from '../support/browser-test.ts';

const keepPausedLink = async (dataDir: string): Promise<void> => {
  const { vanityLinks, close } = await openRecords(configOf({ DATA_DIR: dataDir }), realSystem, {
    isNewSite: true,
  });
  await vanityLinks.add(vanityLink({ name: 'changed', paused_because: 'invite-changed' }));
  await close();
};

test('a paused vanity link says so, in its language, and leads back to the lookup', async ({
  page,
  problems,
}) => {
  problems.expect(/status of 404/);
  using folder = temporaryFolder();
  await keepPausedLink(folder.path);
  await using app = startAppProcess({ DATA_DIR: folder.path });
  const origin = await app.origin;
  await page.goto(`${origin}/changed`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link is paused');
  await expect(page.getByRole('main')).toContainText('/changed\u2069 isn’t active right now.');
  await expectNoAxeViolations(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${origin}/ar/changed`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(arabic.pausedLink.title);
  expect(await page.evaluate(layoutFaults)).toEqual([]);
  await page.goBack();
  await page.getByRole('link', { name: 'Back to Lookup' }).click();
  await expect(page.getByLabel('Discord ID')).toBeVisible();
  // Before its server.
  await page.close();
});
