import type { Locator, Page } from '@playwright/test';

/** Ids that the sandbox answers always in the same way. */
export const ids = {
  ordinary: '441997505123577857',
  animated: '776367000573177858',
  noAvatar: '1076972768253177859',
  discriminator: '135359489430777860',
  bot: '615850567062777861',
  deleted: '287064864642297862',
  everyFlag: '106089119536377863',
  tag: '856418480084217864',
  twoGuilds: '1019612053951737865',
  fiveColors: '562080512529657875',
  fiveLetters: '562080764187897876',
  team: '562081015846137877',
  provisional: '562081267504377878',
  deletedBefore: '287064864642297879',
  twoScripts: '562079757554937880',
  hidden: '562079505896697869',
  markup: '562079002580217867',
  rightToLeft: '562079254238457868',
  longName: '562080009213177871',
  emptyName: '562080260871417872',
  system: '694081209120777874',
  nobody: '794354273277177873',
} as const;

export const idField = (page: Page): Locator => page.getByLabel('Discord ID');
export const lookupButton = (page: Page): Locator =>
  page.getByRole('main').locator('form').getByRole('button', { name: /^Look/ });
export const card = (page: Page): Locator => page.getByRole('article');
export const fact = (page: Page, name: string): Locator =>
  card(page)
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .getByRole('definition');
export const titleOf = (page: Page): Locator => card(page).getByRole('heading', { level: 2 });
export const alert = (page: Page): Locator => page.getByRole('alert');
export const captcha = (page: Page): Locator => page.getByRole('dialog', { name: 'Captcha' });

export const submitId = async (page: Page, id: string): Promise<void> => {
  await idField(page).fill(id);
  await idField(page).press('Enter');
};

export const lookUp = async (page: Page, id: string): Promise<void> => {
  await page.goto('/');
  await submitId(page, id);
};

export const findProfile = async (page: Page, id: string): Promise<void> => {
  await lookUp(page, id);
  await card(page).waitFor();
};
