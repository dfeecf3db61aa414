import { hydrateRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { browserOfThisPage } from './browser.ts';
import { readSite } from './site-settings.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');
hydrateRoot(root, <App environment={{ site: readSite(document), browser: browserOfThisPage }} />);
