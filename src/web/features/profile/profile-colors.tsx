import type { ReactNode } from 'react';
import type { Profile } from '../../read-profile.ts';
import { fill } from '#shared/fill.ts';
import { useTexts } from '../../environment.ts';
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

export const ProfileColors = (colors: Colors): ReactNode => {
  const { copyColor } = useTexts('card');
  return (
    <div className={styles.colors}>
      {namedColors(colors).map(
        ([name, color]) =>
          color !== null && (
            <CopyButton key={name} text={color} label={fill(copyColor[name], { color })}>
              <i style={{ backgroundColor: color }} />
              <bdi dir="ltr">{color}</bdi>
            </CopyButton>
          ),
      )}
    </div>
  );
};
