import type { Profile } from '#shared/contract/profile.ts';
import { shownName } from './shown-name.ts';

const INVISIBLE_NAME = '(invisible name)';
const SPOKEN_LENGTH = 64;

/** The name to put first. A name of which nothing is seen would leave the title empty. */
export const profileTitle = (profile: Pick<Profile, 'display_name' | 'global_name' | 'username'>): string =>
  shownName(profile.display_name) ??
  shownName(profile.global_name) ??
  shownName(profile.username) ??
  INVISIBLE_NAME;

/** A title where it is only read out: nobody wants to hear thousands of characters. */
export const spokenTitle = (title: string): string => {
  const characters = Array.from(title);
  return characters.length <= SPOKEN_LENGTH ? title : `${characters.slice(0, SPOKEN_LENGTH).join('')}…`;
};
