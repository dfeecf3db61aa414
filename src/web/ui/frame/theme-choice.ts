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

/** Lets the button of the header switch the theme, and say which it is. */
export const startThemeSwitch = (page: Document): void => {
  const button = page.getElementById('theme');
  const choice = createThemeChoice({
    root: page.documentElement,
    systemDark: matchMedia('(prefers-color-scheme: dark)'),
    page: window,
    remember,
  });
  const tell = (): void => button?.setAttribute('aria-pressed', String(choice.isDark()));
  tell();
  choice.subscribe(tell);
  button?.addEventListener('click', () => choice.setDark(!choice.isDark()));
};
