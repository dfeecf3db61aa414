import { windowBrowser } from '../../browser.ts';
import { pageProofAhead } from './proof-ahead.ts';

// The page of a link looks its profile up without a press: its proof is begun while React is still loading.
if (windowBrowser.isSeen() && !windowBrowser.savesData()) pageProofAhead(windowBrowser).start();
