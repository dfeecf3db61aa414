import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { browserOfThisPage } from './browser.ts';
import { pageAt } from './pages.ts';
import { readSite } from './site-settings.ts';

const hydrate = async (): Promise<void> => {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no root element.');
  const environment = { site: readSite(document), browser: browserOfThisPage };
  const path = location.pathname;
  const Content = await pageAt(path, environment.site).loadContent();
  // As a transition it is done in short slices, between which the page hears the visitor.
  startTransition(() => {
    hydrateRoot(root, <App environment={environment} path={path} Content={Content} />);
  });
};

// Not awaited here: the code of a page imports from this module, which would then wait for itself.
void hydrate();
