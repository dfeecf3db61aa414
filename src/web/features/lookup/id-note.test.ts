import { expect, it } from 'vitest';
import { fullTextStore } from '#test/support/texts.ts';
import { noteOnId, plausibleId, submitId } from './id-note.ts';

const TEXTS = fullTextStore('en');
const FUTURE = '9223372036854775807';

it.each(['', '\t\n'])('the empty id %j is refused without a captcha', (text) => {
  const message = 'Enter a Discord snowflake to lookup.';
  expect(submitId(text, TEXTS)).toEqual({ type: 'invalid', cause: 'id-missing', message });
});

it.each([
  ['<@42>', '42'],
  // It is left to the server to say that an id lies in the future.
  [FUTURE, FUTURE],
])('%j is submitted as %s', (text, input) => {
  expect(submitId(text, TEXTS)).toEqual({ type: 'submitted', input });
});

it.each(['', ' ', '175928847299117063'])('the note has nothing to say about %j', (text) => {
  expect(noteOnId(text, TEXTS)).toBeUndefined();
});

it('the note says how long an id is as long as it is too short, without calling it wrong', () => {
  expect(noteOnId('1759288472991170', TEXTS)).toEqual({
    text: 'No account has an ID this short: IDs have 17 to 19 digits.',
    wrong: false,
  });
});

it.each(['441997505123577000', '1076972768253170000'])(
  'the note wonders whether a spreadsheet has rounded %s, which may be somebody’s',
  (text) => {
    expect(noteOnId(text, TEXTS)).toEqual({ text: expect.stringContaining('spreadsheet'), wrong: false });
    expect(submitId(text, TEXTS)).toMatchObject({ type: 'submitted' });
  },
);

it.each([
  ['@marlow.finch', 'looks like a name'],
  ['https://discord.gg/abc', 'digits'],
  ['80351110224678912,175928847299117063', 'more than one ID'],
  ['<a:wave:175928847299117063>', 'emoji'],
  ['0', 'Zero'],
  ['99999999999999999999', 'too large'],
  [FUTURE, 'future'],
])('the note says what is wrong with %j: %s', (text, words) => {
  const note = noteOnId(text, TEXTS);
  expect(note).toEqual({ text: expect.stringContaining(words), wrong: true });
  const refused = submitId(text, TEXTS);
  if (text !== FUTURE) expect(refused).toMatchObject({ message: note?.text });
});

it.each([
  ['80351110224678912', '80351110224678912'],
  ['8035111022467891', undefined],
  [FUTURE, undefined],
])('the id that may be somebody’s in %j is %s', (text, id) => expect(plausibleId(text)).toBe(id));
