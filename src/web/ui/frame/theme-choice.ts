export type ThemeChoice = {
  /** Whether the page is dark now. */
  readonly isDark: () => boolean;
  readonly setDark: (dark: boolean) => void;
  readonly subscribe: (listener: () => void) => () => void;
};

type ThemeDeps = {
  /** Carries the choice for the style sheet. */
  readonly root: Pick<HTMLElement, 'dataset'>;
  readonly systemDark: Pick<MediaQueryList, 'matches' | 'addEventListener' | 'removeEventListener'>;
  /** The window: `apply-theme.js` applies, at these events, a choice that was made on another page. */
  readonly page: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  /** Keeps the choice for the next page, where `apply-theme.js` applies it before the first paint. */
  readonly remember: (theme: string | undefined) => void;
};

const APPLYING_EVENTS = ['storage', 'pageshow'];

/** Follows the system until the visitor wants the other theme, and again once it is what the system has. */
export const createThemeChoice = ({ root, systemDark, page, remember }: ThemeDeps): ThemeChoice => {
  const listeners = new Set<() => void>();
  return {
    isDark: () => (root.dataset['theme'] ? root.dataset['theme'] === 'dark' : systemDark.matches),
    setDark: (dark) => {
      const theme = dark === systemDark.matches ? undefined : dark ? 'dark' : 'light';
      if (theme === undefined) delete root.dataset['theme'];
      else root.dataset['theme'] = theme;
      remember(theme);
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      systemDark.addEventListener('change', listener);
      for (const event of APPLYING_EVENTS) page.addEventListener(event, listener);
      return () => {
        listeners.delete(listener);
        systemDark.removeEventListener('change', listener);
        for (const event of APPLYING_EVENTS) page.removeEventListener(event, listener);
      };
    },
  };
};
