import { useSyncExternalStore, type ReactNode } from 'react';
import { useTexts } from '../../environment.ts';
import styles from './frame.module.css';
import { Icon } from '../icon.tsx';

type ThemeDeps = {
  /** Carries the choice for the style sheet. */
  readonly root: Pick<HTMLElement, 'dataset'>;
  readonly systemDark: Pick<MediaQueryList, 'matches' | 'addEventListener'>;
  /** The window: `apply-theme.js` applies, at these events, a choice that was made on another page. */
  readonly page: Pick<EventTarget, 'addEventListener'>;
  /** Keeps the choice for the next page, where `apply-theme.js` applies it before the first paint. */
  readonly remember: (theme: string | undefined) => void;
};

const APPLYING_EVENTS = ['storage', 'pageshow'];

/** Follows the system until the visitor wants the other theme, and again once it is what the system has. */
export const createThemeChoice = ({ root, systemDark, page, remember }: ThemeDeps) => {
  const changes = new EventTarget();
  return {
    /** Whether the page is dark now. */
    isDark: (): boolean => (root.dataset['theme'] ? root.dataset['theme'] === 'dark' : systemDark.matches),
    setDark: (dark: boolean): void => {
      const theme = dark === systemDark.matches ? undefined : dark ? 'dark' : 'light';
      if (theme === undefined) delete root.dataset['theme'];
      else root.dataset['theme'] = theme;
      remember(theme);
      changes.dispatchEvent(new Event('change'));
    },
    subscribe: (listener: () => void): (() => void) => {
      const listening = new AbortController();
      const { signal } = listening;
      changes.addEventListener('change', listener, { signal });
      systemDark.addEventListener('change', listener, { signal });
      for (const event of APPLYING_EVENTS) page.addEventListener(event, listener, { signal });
      return () => listening.abort();
    },
  };
};

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
  const { darkTheme } = useTexts('frame');
  // The server cannot know: the button says its state as soon as the browser does.
  const dark = useSyncExternalStore<boolean | undefined>(subscribe, isDark, () => undefined);
  return (
    <button
      type="button"
      className={styles.tool}
      aria-label={darkTheme}
      title={darkTheme}
      aria-pressed={dark}
      onClick={() => themeChoice().setDark(!isDark())}
    >
      <Icon name="moon" />
    </button>
  );
};
