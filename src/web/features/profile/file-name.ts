import type { Profile } from '../../read-profile.ts';

const MAX_NAME = 40;

/** `marlow.finch-441997505123577857.png`: the owner's name, without the characters that some systems forbid in file names. */
export const fileName = ({ username, id }: Pick<Profile, 'username' | 'id'>, ending: string): string => {
  const plain = username.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_').replaceAll(/^[._-]+/g, '');
  const name = Array.from(plain).slice(0, MAX_NAME).join('');
  return `${name === '' ? '' : `${name}-`}${id}${ending}`;
};
