import { JOURNEY_LANGUAGES } from '#test/support/journey-languages.ts';
import { test } from './journey-test.ts';

const ORDINARY = '441997505123577857';
const [german, arabic, japanese] = JOURNEY_LANGUAGES;

test('a profile is found in German, kept in other languages, and there again on the way back', async ({
  visitor,
}) => {
  const seeProfileIn = async ({ code, texts, day, fieldLabel }: typeof german): Promise<void> => {
    await visitor.seeAddress(`/${code}?id=${ORDINARY}`);
    await visitor.read(new RegExp(`${texts.card.created}[^]*${day}`));
    await visitor.seeValue(fieldLabel, ORDINARY);
    // The last that comes: what is below does not move any more.
    await visitor.see('button', texts.recents.switchOn);
  };
  await visitor.open('/de');
  await visitor.seeTitle(german.title);
  await visitor.fill(german.fieldLabel, ORDINARY);
  await visitor.press('button', german.texts.lookup.submit);
  await visitor.see('heading', 'Marlow Finch');
  await seeProfileIn(german);
  for (const [shown, next] of [
    [german, arabic],
    [arabic, japanese],
  ] as const) {
    await visitor.press('button', shown.name);
    await visitor.press('link', next.name);
    await seeProfileIn(next);
  }
  await visitor.goBack();
  await seeProfileIn(arabic);
});
