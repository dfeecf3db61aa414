import { useMemo, type ReactNode } from 'react';
import type { ProfileAnswer } from '../read-profile.ts';
import { useEnvironment, useTexts } from '../environment.ts';
import { handleOf, profileTitle, shortTitle, shownName } from '../features/profile/profile-name.ts';
import { Recents } from '../features/recents/recents.tsx';
import type { RecentLookup } from '../features/recents/recents-store.ts';

const recentOf = (profile: ProfileAnswer, relayPictures: boolean, invisible: string): RecentLookup => ({
  id: profile.id,
  name: shortTitle(profileTitle(profile, invisible)),
  handle: shortTitle(shownName(handleOf(profile)) ?? ''),
  // An address of ours would expire, and the platform's is not to be asked.
  avatarUrl: relayPictures ? '' : (profile.avatar_url ?? ''),
  badges: profile.flags.map(({ id }) => id),
  tag: profile.primary_guild?.tag ?? profile.clan?.tag ?? null,
  color: profile.accent_color,
  bot: profile.bot,
});

type RecentsPartProps = {
  readonly found: ProfileAnswer | undefined;
  readonly onPick: (id: string) => void;
};

export const RecentsPart = ({ found, onPick }: RecentsPartProps): ReactNode => {
  const { relayPictures } = useEnvironment().site;
  const { invisibleName } = useTexts('card');
  const current = useMemo(
    () => found && recentOf(found, relayPictures, invisibleName),
    [found, relayPictures, invisibleName],
  );
  return <Recents current={current} onPick={onPick} />;
};
