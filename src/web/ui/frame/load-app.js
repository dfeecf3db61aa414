// Part of every page. Loads the page's code after the first paint, so that it does not delay it.
// The build puts the names of its files in front of this: that of the entry, then those that it imports.
{
  /** Even if the browser does not report its first paint. */
  const LATEST_MS = 1_000;

  let begun = false;
  const load = () => {
    if (begun) return;
    begun = true;
    const [entry, ...imports] = files;
    const add = (name, properties) =>
      document.head.append(Object.assign(document.createElement(name), { crossOrigin: '', ...properties }));
    for (const href of imports) add('link', { rel: 'modulepreload', href });
    add('script', { type: 'module', src: entry });
  };

  // A hidden page is not painted.
  if (document.hidden) load();
  new PerformanceObserver(load).observe({ type: 'paint' });
  setTimeout(load, LATEST_MS);
}
