import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { splitPath } from '#shared/languages.ts';
import type { Site } from '#shared/site.ts';
import { App } from './app.tsx';
import { readCarried } from './carried-data.ts';
import { windowBrowser } from './environment.ts';
import { pageAt, pages } from './pages.ts';
import { createTextStore } from './texts/text-store.ts';

const hydrate = async (): Promise<Site> => {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no root element.');
  const { site, texts } = readCarried(document);
  const environment = { site, browser: windowBrowser, texts: createTextStore(texts, windowBrowser) };
  const { path } = splitPath(location.pathname);
  const Content = await pages[pageAt(path, site)]();
  // A transition runs in short slices, between which the page can react to the visitor.
  startTransition(() => {
    hydrateRoot(root, <App environment={environment} path={path} Content={Content} />);
  });
  return site;
};

/** Keeps a page for when there is no network. Best effort: this page does not need it. */
const keepOfflinePage = ({ offlinePage }: Site): void => {
  if (!offlinePage) return;
  void navigator.serviceWorker
    ?.register('/service-worker.js', { updateViaCache: 'none' })
    .catch(() => undefined);
};

// Not awaited here: the code of a page imports from this module, which would then wait for itself.
void hydrate().then(keepOfflinePage);
