import { expect, it } from 'vitest';
import {
  fileName,
  handleOf,
  initialsOf,
  isDeleted,
  profileTitle,
  shortTitle,
  shownName,
} from './profile-name.ts';

it.each([
  [{ display_name: '', global_name: 'Nell', username: 'nelly' }, 'Nell'],
  [{ display_name: '  ', global_name: '', username: 'nelly' }, 'nelly'],
  [{ display_name: '\u3164', global_name: null, username: '\u2800' }, '(invisible name)'],
])('the title of %j is %s', (names, title) => expect(profileTitle(names, '(invisible name)')).toBe(title));

it('a title is cut between characters, not through one, where it is read out', () => {
  expect(shortTitle('𝕎'.repeat(64))).toBe('𝕎'.repeat(64));
  expect(shortTitle('𝕎'.repeat(5_000))).toBe(`${'𝕎'.repeat(64)}…`);
});

it.each([
  [' Nelly\n', 'Nelly'],
  ['photo\u202egnp.exe\u2066', 'photognp.exe'],
  ['👩\u200d🚀', '👩\u200d🚀'],
  ['\u200bad\u200dmin\u00ad', '\u200bad\u200dmin\u00ad'],
])('the name %j is shown as %j', (name, shown) => expect(shownName(name)).toBe(shown));

it.each([null, '\u200b\u2060\ufeff\u00ad\u200f', '\u3164', '\u{e0020}\u{e007f}'])(
  'nothing is shown of the name %j',
  (name) => expect(shownName(name)).toBeUndefined(),
);

it.each([
  ['Aurora ✦ Quill', 'AQ'],
  ['𝕎𝕎', '𝕎'],
  ['<img src=x>', 'S'],
  ['✦', '?'],
])('the initials of %s are %s', (title, initials) => expect(initialsOf(title)).toBe(initials));

it.each([
  [{ username: 'deleted_user_4f1c9ab07d3e', global_name: null }, true],
  [{ username: 'deleted_user_4f1c9ab07d3e', global_name: 'Still here' }, false],
  [{ username: 'Deleted User somebody', global_name: null }, false],
])('the account %j is deleted: %s', (profile, deleted) => expect(isDeleted(profile)).toBe(deleted));

it('an account is called with its number only if it has one', () => {
  expect(handleOf({ username: 'Old Timer', discriminator: '4711' })).toBe('Old Timer#4711');
  expect(handleOf({ username: 'marlow.finch', discriminator: '0' })).toBe('marlow.finch');
});

it.each([
  ['marlow.finch', 'marlow.finch-441997505123577857.png'],
  ['../../etc/passwd', 'etc_passwd-441997505123577857.png'],
  ['photo\u202Egnp.exe', 'photo_gnp.exe-441997505123577857.png'],
  ['𝕎'.repeat(100), `${'𝕎'.repeat(40)}-441997505123577857.png`],
])('a file about %s is %s', (username, name) => {
  expect(fileName({ username, id: '441997505123577857' }, '.png')).toBe(name);
});
