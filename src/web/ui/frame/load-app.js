// Part of every page. Loads the page's code after the first paint, so that it does not delay it: that of the frame, and
// that of the content if there is any. Where `data-waits` says so, the content's code waits until the visitor does
// something, or stays.
// The build puts `code` in front of this: for both, the file of the entry and those that it imports.
{
  /** Even if the browser does not report its first paint. */
  const LATEST_MS = 1_000;
  /** A status that stays on a screen must change. */
  const STAYS_MS = 10_000;

  const add = (name, properties) =>
    document.head.append(Object.assign(document.createElement(name), { crossOrigin: '', ...properties }));
  const load = ([entry, ...imports]) => {
    for (const href of imports) add('link', { rel: 'modulepreload', href });
    add('script', { type: 'module', src: entry });
  };

  const used = new Promise((resolve) => {
    // A browser also reports a pointer that rests where a page appears. A screen reader may only click.
    const use = ({ type, movementX, movementY }) =>
      (type !== 'pointermove' || movementX !== 0 || movementY !== 0) && resolve();
    for (const sign of ['pointermove', 'pointerdown', 'keydown', 'focusin', 'scroll', 'click'])
      addEventListener(sign, use, { capture: true, passive: true });
    setTimeout(resolve, STAYS_MS);
  });

  const loadAll = () => {
    load(code.frame);
    const root = document.getElementById('root');
    if (root === null) return;
    if ('waits' in root.dataset) void used.then(() => load(code.app));
    else load(code.app);
  };

  let begun = false;
  const begin = () => {
    if (begun) return;
    begun = true;
    // Not every browser waits for the whole page to paint it.
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', loadAll);
    else loadAll();
  };

  // A hidden page is not painted.
  if (document.hidden) begin();
  new PerformanceObserver(begin).observe({ type: 'paint' });
  setTimeout(begin, LATEST_MS);
}
