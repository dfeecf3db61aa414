import { useMemo, type ReactNode } from 'react';
import type { Profile } from '#shared/contract/profile.ts';
import { handleOf, profileTitle, shortTitle, shownName } from '../features/profile/profile-name.ts';
import { Recents } from '../features/recents/recents.tsx';
import type { RecentLookup } from '../features/recents/recents-store.ts';

export type FoundProfile = { readonly id: string; readonly profile: Profile };

const recentOf = ({ id, profile }: FoundProfile): RecentLookup => ({
  id,
  name: shortTitle(profileTitle(profile)),
  handle: shortTitle(shownName(handleOf(profile)) ?? ''),
  avatarUrl: profile.avatar_url,
  badges: profile.flags.map(({ name }) => name),
  tag: profile.primary_guild?.tag ?? profile.clan?.tag ?? null,
  color: profile.accent_color,
  bot: profile.bot,
});

type RecentsPartProps = {
  readonly found: FoundProfile | undefined;
  readonly onPick: (id: string) => void;
};

/** What is kept of the profile on the screen, and of those before it. */
export const RecentsPart = ({ found, onPick }: RecentsPartProps): ReactNode => {
  const current = useMemo(() => found && recentOf(found), [found]);
  return <Recents current={current} onPick={onPick} />;
};
