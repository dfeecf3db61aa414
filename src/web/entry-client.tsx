import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { windowBrowser } from './environment.ts';
import { pageAt, pages } from './pages.ts';
import { readSite } from './site-settings.ts';

const hydrate = async (): Promise<void> => {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no root element.');
  const environment = { site: readSite(document), browser: windowBrowser };
  const path = location.pathname;
  const Content = await pages[pageAt(path, environment.site)]();
  // As a transition it is done in short slices, between which the page hears the visitor.
  startTransition(() => {
    hydrateRoot(root, <App environment={environment} path={path} Content={Content} />);
  });
};

/** Keeps a page for when there is no network. Best effort: this page does not need it. */
const keepOfflinePage = (): void => {
  if (!readSite(document).offlinePage) return;
  void navigator.serviceWorker
    ?.register('/service-worker.js', { updateViaCache: 'none' })
    .catch(() => undefined);
};

// Not awaited here: the code of a page imports from this module, which would then wait for itself.
void hydrate().then(keepOfflinePage);
