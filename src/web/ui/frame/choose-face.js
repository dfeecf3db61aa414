// Part of every page, run before the first paint, which must not wait for our typeface. The first page of a visit is shown
// in a font of the system with the same widths, and fetches the typeface when it is idle (fetch-face.ts). Later pages use it
// from the start. If it is not ready in time, the page keeps the system's font, so nothing moves.
{
  /** A letter from each further font file that the language needs. */
  const LETTERS = { de: 'é', es: 'é', fr: 'é', pt: 'é', pl: 'éł', tr: 'éł' };
  const root = document.documentElement;

  const wasHere = () => {
    try {
      return Boolean(navigator.serviceWorker?.controller) || sessionStorage.getItem('face') !== null;
    } catch {
      // Storage is forbidden.
      return false;
    }
  };

  if (wasHere()) {
    root.dataset.face = '';
    document.fonts.load('1em Figtree', `a${LETTERS[root.lang.slice(0, 2)] ?? ''}`).catch(() => undefined);
  }
}
