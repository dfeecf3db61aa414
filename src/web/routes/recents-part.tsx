import { useMemo, type ReactNode } from 'react';
import type { ProfileAnswer } from '../read-profile.ts';
import { useEnvironment, useTexts } from '../environment.ts';
import { profileTitle, shortTitle } from '../features/profile/profile-name.ts';
import { Recents } from '../features/recents/recents.tsx';

type RecentsPartProps = {
  readonly found: ProfileAnswer | undefined;
  readonly onPick: (id: string) => void;
};

export const RecentsPart = ({ found, onPick }: RecentsPartProps): ReactNode => {
  const { relayPictures } = useEnvironment().site;
  const { invisibleName } = useTexts('card');
  const current = useMemo(
    () =>
      found && {
        id: found.id,
        name: shortTitle(profileTitle(found, invisibleName)),
        // An address of ours would expire, and the platform's is not to be asked.
        avatarUrl: relayPictures ? '' : (found.avatar_url ?? ''),
      },
    [found, relayPictures, invisibleName],
  );
  return <Recents current={current} onPick={onPick} />;
};
