type ThemeDeps = {
  /** Carries the choice for the style sheet. */
  readonly root: Pick<HTMLElement, 'dataset'>;
  readonly systemDark: Pick<MediaQueryList, 'matches' | 'addEventListener'>;
  /** The window: `entry-early.ts` applies, at these events, a choice that was made on another page. */
  readonly page: Pick<EventTarget, 'addEventListener'>;
  /** Keeps the choice for the next page, where `entry-early.ts` applies it before the first paint. */
  readonly remember: (theme: string | undefined) => void;
  /** Told whether the page is dark, at once and whenever that may have changed. */
  readonly tell: (dark: boolean) => void;
};

const APPLYING_EVENTS = ['storage', 'pageshow'];

/** Follows the system until the visitor wants the other theme, and again once it is what the system has. */
export const createThemeChoice = ({ root, systemDark, page, remember, tell }: ThemeDeps) => {
  const isDark = (): boolean =>
    root.dataset['theme'] ? root.dataset['theme'] === 'dark' : systemDark.matches;
  const changed = (): void => tell(isDark());
  systemDark.addEventListener('change', changed);
  for (const event of APPLYING_EVENTS) page.addEventListener(event, changed);
  changed();
  return {
    toggle: (): void => {
      const dark = !isDark();
      const theme = dark === systemDark.matches ? undefined : dark ? 'dark' : 'light';
      if (theme === undefined) delete root.dataset['theme'];
      else root.dataset['theme'] = theme;
      remember(theme);
      changed();
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
    tell: (dark) => button?.setAttribute('aria-pressed', String(dark)),
  });
  button?.addEventListener('click', choice.toggle);
};
