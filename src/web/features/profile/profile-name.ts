import type { Profile } from '../../read-profile.ts';
import type { Texts } from '../../texts/translation.ts';

/** Control characters, and overrides of the writing direction, which rearrange the text around a name. */
const DISRUPTIVE = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;
/** Characters that show nothing; Unicode does not list the braille blank among them. */
const INVISIBLE = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}\u2800]*$/u;

export const shownName = (name: string | null): string | undefined => {
  const shown = name?.replaceAll(DISRUPTIVE, '').trim();
  return shown === undefined || INVISIBLE.test(shown) ? undefined : shown;
};

const SHORT_LENGTH = 64;

export const profileTitle = (
  { display_name, global_name, username }: Pick<Profile, 'display_name' | 'global_name' | 'username'>,
  invisible: string,
): string =>
  [display_name, global_name, username].map(shownName).find((name) => name !== undefined) ?? invisible;

/** For screen readers: nobody wants to hear thousands of characters. */
export const shortTitle = (title: string): string => {
  const characters = Array.from(title);
  return characters.length <= SHORT_LENGTH ? title : `${characters.slice(0, SHORT_LENGTH).join('')}…`;
};

export const lettersOf = (text: string): string[] =>
  Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) => segment);

export const initialsOf = (title: string): string => {
  const words = title.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen.map((word = '') => Array.from(word)[0]?.toUpperCase()).join('') || '?';
};

const DELETED = /^(?:deleted_user_[0-9a-f]+|Deleted User [0-9a-f]{8})$/;

/** The platform renames deleted accounts like this, those of before 2023 in the second way, and removes their picture. */
export const isDeleted = ({ username, global_name }: Pick<Profile, 'username' | 'global_name'>): boolean =>
  !global_name && DELETED.test(username);

/** What a nameplate shows. Older ones have the name of a constant there, which describes them to nobody. */
export const plateDescription = (label: string | null): string =>
  label === null || /^[A-Z0-9_]+$/.test(label) ? '' : label;

export const handleOf = ({ username, discriminator }: Pick<Profile, 'username' | 'discriminator'>): string =>
  discriminator === '0' ? username : `${username}#${discriminator}`;

export const accountKind = (profile: Profile, texts: Texts['export']['kinds']): string => {
  if (profile.system) return texts.system;
  if (profile.bot) return texts.app;
  return isDeleted(profile) ? texts.deleted : texts.user;
};

const LONGEST_IN_FILE = 40;

/** Without the characters that some systems forbid in file names. */
export const fileName = ({ username, id }: Pick<Profile, 'username' | 'id'>, ending: string): string => {
  const plain = username.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_').replaceAll(/^[._-]+/g, '');
  const name = Array.from(plain).slice(0, LONGEST_IN_FILE).join('');
  return `${name === '' ? '' : `${name}-`}${id}${ending}`;
};
