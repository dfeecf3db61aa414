// Part of every page, run before the first paint, so that the other theme does not flash up first.
// See theme-choice.ts.
{
  const root = document.documentElement;

  const applyTheme = () => {
    try {
      const theme = localStorage.getItem('theme');
      if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
      else delete root.dataset.theme;
    } catch {
      // Storage is forbidden: the page follows the system's theme.
    }
  };

  // The browser's bar has a colour for each theme of the system; the visitor's choice selects one of them.
  const colorBar = () => {
    const { theme } = root.dataset;
    for (const meta of document.querySelectorAll('meta[name=theme-color]')) {
      meta.dataset.media ??= meta.media;
      const { media } = meta.dataset;
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
}
