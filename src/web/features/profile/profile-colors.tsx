import type { ReactNode } from 'react';
import type { Profile } from '#shared/contract/profile.ts';
import { profileColors as texts } from '../../texts/profile/card.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './card-layout.module.css';

type Colors = Pick<Profile, 'accent_color' | 'banner_color'>;

/** The platform gives most profiles the same colour twice, or none. */
const namedColors = ({ accent_color: accent, banner_color: banner }: Colors) =>
  accent === banner
    ? ([['both', accent]] as const)
    : ([
        ['accent', accent],
        ['banner', banner],
      ] as const);

export const ProfileColors = (colors: Colors): ReactNode => (
  <div className={styles.colors}>
    {namedColors(colors).map(
      ([name, color]) =>
        color !== null && (
          <CopyButton key={name} text={color} label={texts[name](color)}>
            <i style={{ backgroundColor: color }} />
            {color}
          </CopyButton>
        ),
    )}
  </div>
);
