import type { ReactNode } from 'react';
import { useTexts } from '../../environment.ts';
import styles from './frame.module.css';
import { Icon } from '../icon.tsx';

/** The server cannot know its state: `theme-choice.ts` says it. */
export const ThemeSwitch = (): ReactNode => {
  const { darkTheme } = useTexts('frame');
  return (
    <button type="button" id="theme" className={styles.tool} aria-label={darkTheme} title={darkTheme}>
      <Icon name="moon" />
    </button>
  );
};
