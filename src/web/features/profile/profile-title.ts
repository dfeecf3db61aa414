import type { Profile } from '#shared/contract/profile.ts';

/** The name to put first. A name of blanks only would leave the title empty. */
export const profileTitle = (profile: Pick<Profile, 'display_name' | 'global_name' | 'username'>): string =>
  [profile.display_name, profile.global_name].find((name) => name?.trim()) ?? profile.username;
