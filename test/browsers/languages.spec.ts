import { JOURNEY_LANGUAGES } from '#test/support/journey-languages.ts';
import { test } from './journey-test.ts';

const ORDINARY = '441997505123577857';

for (const { code, texts, title, fieldLabel, day, next } of JOURNEY_LANGUAGES) {
  test(`/${code}: a profile is found, kept in another language, and there again on the way back`, async ({
    visitor,
  }) => {
    await visitor.open(`/${code}`);
    await visitor.seeTitle(title);
    await visitor.fill(fieldLabel, ORDINARY);
    await visitor.press('button', texts.lookup.submit);
    await visitor.see('heading', 'Marlow Finch');
    await visitor.read(new RegExp(`${texts.card.created}[^]*${day}`));
    await visitor.seeAddress(`/${code}?id=${ORDINARY}`);
    await visitor.press('link', next.name);
    await visitor.seeAddress(`/${next.code}?id=${ORDINARY}`);
    await visitor.read(new RegExp(next.texts.card.created));
    await visitor.goBack();
    await visitor.read(new RegExp(texts.card.created));
    await visitor.seeValue(fieldLabel, ORDINARY);
  });
}
