import type { Profile } from '#shared/contract/profile.ts';
import { accountKinds as texts } from '../../../texts/profile/report.ts';
import { isDeleted } from '../profile-name.ts';

export const accountKind = (profile: Profile): string => {
  if (profile.system) return texts.system;
  if (profile.bot) return texts.app;
  return isDeleted(profile) ? texts.deleted : texts.user;
};
