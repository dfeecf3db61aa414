// Stands in every page and runs before the first paint, so that a visitor's own choice of theme does not flash.
// See theme-switch.tsx.
{
  const applyTheme = () => {
    const root = document.documentElement;
    try {
      const theme = localStorage.getItem('theme');
      if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
      else delete root.dataset.theme;
    } catch {
      // Storage is forbidden: the system's theme it is.
    }
  };

  applyTheme();
  // The choice may have been made on another page: in another tab, or before coming back to this one.
  addEventListener('storage', applyTheme);
  addEventListener('pageshow', applyTheme);
}
