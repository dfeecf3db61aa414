import { useSyncExternalStore, type ReactNode } from 'react';
import styles from './frame.module.css';
import { Icon } from '../icon.tsx';
import { createThemeChoice } from './theme-choice.ts';

const STORAGE_KEY = 'theme';

/** A visitor who forbids storage has the choice for this page only. */
const remember = (theme: string | undefined): void => {
  try {
    if (theme === undefined) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Nothing to do: the page itself has changed already.
  }
};

let choice: ReturnType<typeof createThemeChoice> | undefined;

const themeChoice = () =>
  (choice ??= createThemeChoice({
    root: document.documentElement,
    systemDark: matchMedia('(prefers-color-scheme: dark)'),
    page: window,
    remember,
  }));

const subscribe = (listener: () => void): (() => void) => themeChoice().subscribe(listener);
const isDark = (): boolean => themeChoice().isDark();

export const ThemeSwitch = (): ReactNode => {
  // The server cannot know: the button says its state as soon as the browser does.
  const dark = useSyncExternalStore<boolean | undefined>(subscribe, isDark, () => undefined);
  return (
    <button
      type="button"
      className={styles.tool}
      aria-label="Dark theme"
      title="Dark theme"
      aria-pressed={dark}
      onClick={() => themeChoice().setDark(!isDark())}
    >
      <Icon name="moon" />
    </button>
  );
};
