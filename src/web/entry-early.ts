// Stands in every page and runs before its first paint, as a script of its own: it imports nothing.

const root = document.documentElement;

const applyTheme = (): void => {
  try {
    const theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') root.dataset['theme'] = theme;
    else delete root.dataset['theme'];
  } catch {
    // Storage is forbidden: the page follows the system's theme.
  }
};

/** The browser's bar has a colour for each theme of the system; the visitor's choice selects one of them. */
const colorBar = (): void => {
  const { theme } = root.dataset;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    const media = (meta.dataset['media'] ??= meta.media);
    if (theme === undefined) meta.media = media;
    else meta.media = media.includes(theme) ? 'all' : 'not all';
  }
};

applyTheme();
// The choice may have been made on another page: in another tab, or before coming back to this one.
addEventListener('storage', applyTheme);
addEventListener('pageshow', applyTheme);
new MutationObserver(colorBar).observe(root, { attributeFilter: ['data-theme'] });
addEventListener('DOMContentLoaded', colorBar);

let pressed: HTMLButtonElement | undefined;
const ready = new Set<unknown>();

/** The page of a link is the same for every ID. Its field has the address's own from the first paint on. */
const fillField = (): void => {
  const field = document.querySelector<HTMLInputElement>('[data-linked] input');
  if (field === null || ready.has('app')) return;
  field.value = new URLSearchParams(location.search).get('id') ?? '';
  parsed.disconnect();
};
const parsed = new MutationObserver(fillField);
parsed.observe(root, { childList: true, subtree: true });
addEventListener('DOMContentLoaded', () => parsed.disconnect());
addEventListener('popstate', fillField);

const codeOf = (button: Element): string => (button.closest('#root') === null ? 'frame' : 'app');

const keepPress = (event: MouseEvent): void => {
  const button = (event.target as Element).closest('button');
  if (button === null || ready.has(codeOf(button))) return;
  pressed = button;
  // Not every browser does it by itself, and a dialog that closes returns the focus to it.
  button.focus();
  event.preventDefault();
  event.stopPropagation();
};
addEventListener('click', keepPress, true);

const repeatPress = (): void => {
  const button = pressed;
  pressed = undefined;
  button?.click();
};
addEventListener('interactive', (event) => {
  const { detail: code } = event as CustomEvent;
  ready.add(code);
  if (pressed && codeOf(pressed) === code) repeatPress();
});

/** If the code does not load, the browser handles the press by itself: a form then loads the page again. */
const release = (): void => {
  removeEventListener('click', keepPress, true);
  repeatPress();
};
addEventListener('unhandledrejection', release);
addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && release(), true);
