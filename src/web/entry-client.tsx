import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { splitPath } from '#shared/languages.ts';
import { App } from './app.tsx';
import { windowBrowser } from './browser.ts';
import { idInAddress } from './features/lookup/visits.ts';
import { appPages, isAppPage, pageAt } from './pages.ts';
import { readCarried } from './texts/carried-data.ts';
import { createTextStore } from './texts/text-store.ts';
// Some are for parts that only the server renders.
import './features/language/language-list.module.css';
import './features/language/language-offer.module.css';
import './features/status/status.module.css';
import './ui/frame/frame.module.css';
import './ui/form.module.css';
import './ui/text-page.module.css';
import './routes/api.module.css';
import './ui/fonts/typeface.css';
import './ui/theme.css';
import './ui/scripts.css';
import './ui/openings.css';
import './ui/more-contrast.css';

const hydrate = async (): Promise<void> => {
  const root = document.getElementById('root');
  const { site, texts } = readCarried(document);
  const linkedId = site.linked ? idInAddress() : '';
  const environment = { site, browser: windowBrowser, texts: createTextStore(texts), linkedId };
  const page = pageAt(splitPath(location.pathname).path, site);
  if (root === null || !isAppPage(page)) throw new Error('Nothing on this page is run by React.');
  const Content = await appPages[page](site.linked);
  // A transition runs in short slices, between which the page can react to the visitor.
  startTransition(() => {
    hydrateRoot(root, <App environment={environment} Content={Content} />);
  });
};

// Not awaited here: the code of a page imports from this module, which would then wait for itself.
void hydrate();
