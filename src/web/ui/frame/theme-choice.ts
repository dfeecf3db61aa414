import { keepStored } from '../../browser.ts';

/** The page follows the system until the visitor wants the other theme, and again once it is what the system has. */
export const startThemeSwitch = (page: Document): void => {
  const button = page.getElementById('theme');
  const { dataset } = page.documentElement;
  const systemDark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = (): boolean => (dataset['theme'] ? dataset['theme'] === 'dark' : systemDark.matches);
  const tell = (): void => button?.setAttribute('aria-pressed', String(isDark()));
  systemDark.addEventListener('change', tell);
  // At these events `entry-early.ts` applies a choice that was made on another page.
  for (const event of ['storage', 'pageshow']) addEventListener(event, tell);
  tell();
  button?.addEventListener('click', () => {
    const dark = !isDark();
    const theme = dark === systemDark.matches ? undefined : dark ? 'dark' : 'light';
    if (theme === undefined) delete dataset['theme'];
    else dataset['theme'] = theme;
    // On the next page, `entry-early.ts` applies it.
    keepStored('theme', theme);
    tell();
  });
};
