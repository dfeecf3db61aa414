import type { Profile } from '../../../read-profile.ts';
import type { Texts } from '../../../texts/translation.ts';
import { isDeleted } from '../profile-name.ts';

export const accountKind = (profile: Profile, texts: Texts['export']['kinds']): string => {
  if (profile.system) return texts.system;
  if (profile.bot) return texts.app;
  return isDeleted(profile) ? texts.deleted : texts.user;
};
