import { expect } from '@playwright/test';
import { JOURNEY_LANGUAGES } from '#test/browser/support/journey-languages.ts';
import { ids } from '#test/browser/support/lookup-page.ts';
import { test } from './journey-test.ts';

const FIELD = 'Discord ID';
const RECEIPT = /WD(?:-[0-9A-Z]{1,5}){6}/;

test('a visitor finds a profile, nobody, and another one after a failure', async ({ visitor, server }) => {
  const { faults } = server.sandbox;
  await visitor.open('/');
  await visitor.watchWorkers();
  await visitor.fill(FIELD, ids.animated);
  await visitor.press('button', 'Lookup');
  await visitor.see('heading', 'Aurora ✦ Quill');
  await visitor.seeAddress(`/?id=${ids.animated}`);
  await visitor.seePictures();
  expect(await visitor.foundByWorkers()).toEqual([expect.objectContaining({ simd: true })]);

  await visitor.fill(FIELD, ids.nobody);
  await visitor.press('button', 'Lookup');
  await visitor.read(/No profile was found for 794354273277177873\.[^]*1 January 2021/);
  faults.set({ status: 502 });
  await visitor.fill(FIELD, ids.ordinary);
  await visitor.press('button', 'Lookup');
  await visitor.read(/Discord isn’t answering properly/);
  faults.clear();
  await visitor.press('button', 'Try again');
  await visitor.see('heading', 'Marlow Finch');
});

test('a token is donated, and withdrawn with its receipt', async ({ visitor, server }) => {
  await visitor.open('/');
  await visitor.press('button', 'Donate a bot token');
  await visitor.see('dialog', 'Donate a Discord bot token');
  await visitor.fill('Bot Token', server.sandbox.mintToken(1));
  await visitor.press('button', 'Submit & Verify');
  await visitor.read(/Token verified and saved\. Thank you for helping keep the service alive!/);
  const receipt = await visitor.read(RECEIPT);
  const healthy = async (): Promise<unknown> =>
    (await (await fetch(`${server.origin}/status.json`)).json()).tokens.healthy;
  await expect.poll(healthy).toBe(2);
  await visitor.press('button', 'Copy receipt');
  await visitor.press('button', 'Done');
  await visitor.open('/token-donation');
  await visitor.fill('Receipt or bot token', receipt);
  await visitor.press('button', 'Withdraw');
  await visitor.read(/Done\. If we had this token, it has been deleted\./);
  await expect.poll(healthy).toBe(1);
});

test('the keyboard suffices, and the history and other languages keep a profile', async ({ visitor }) => {
  await visitor.open('/');
  await visitor.tabTo('button', 'Donate a bot token');
  await visitor.key('Enter');
  await visitor.see('dialog', 'Donate a Discord bot token');
  await visitor.key('Escape');
  await visitor.notSee('dialog', 'Donate a Discord bot token');
  await visitor.open('/');
  await visitor.tabTo('textbox', FIELD);
  await visitor.type(ids.ordinary);
  await visitor.key('Enter');
  await visitor.see('heading', 'Marlow Finch');

  await visitor.fill(FIELD, ids.animated);
  await visitor.press('button', 'Lookup');
  await visitor.see('heading', 'Aurora ✦ Quill');
  await visitor.goBack();
  await visitor.see('heading', 'Marlow Finch');
  await visitor.seeValue(FIELD, ids.ordinary);
  await visitor.goForward();
  await visitor.see('heading', 'Aurora ✦ Quill');
  await visitor.press('link', 'Privacy');
  await visitor.see('heading', 'Privacy');
  await visitor.goBack();
  await visitor.seeAddress(`/?id=${ids.animated}`);
  await visitor.see('heading', 'Aurora ✦ Quill');
  await visitor.goBack();
  await visitor.see('heading', 'Marlow Finch');

  let shown = 'English';
  // The last that comes: what is below does not move any more.
  await visitor.see('button', 'Keep recent lookups in this browser');
  for (const { code, name, texts, day, fieldLabel } of JOURNEY_LANGUAGES) {
    await visitor.press('button', shown);
    await visitor.press('link', name);
    await visitor.seeAddress(`/${code}?id=${ids.ordinary}`);
    await visitor.read(new RegExp(`${texts.card.created}[^]*${day}`));
    await visitor.seeValue(fieldLabel, ids.ordinary);
    await visitor.see('button', texts.recents.switchOn);
    shown = name;
  }
});
