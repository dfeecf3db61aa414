import { maySendAhead, sendAhead } from '../../ask-server.ts';
import { windowBrowser } from '../../browser.ts';
import { readCarried } from '../../texts/carried-data.ts';
import { pageProofAhead } from './proof-ahead.ts';

/** The page of a link looks its profile up without a press: that begins while React is still loading. */
const begin = async (page: Document): Promise<void> => {
  const { site } = readCarried(page);
  const ahead = pageProofAhead(windowBrowser);
  const asked = ahead.start();
  if (site.captchaDialog === 'always') return;
  const proof = await asked.answer.then(({ prove }) => prove()).catch(() => undefined);
  const field = page.querySelector<HTMLInputElement>('[name=id]');
  // A visitor who has entered something else is not interrupted; and the page may have gone on by itself.
  const isWanted = field?.value === site.linked?.id && maySendAhead();
  if (proof !== undefined && isWanted && ahead.take(asked)) sendAhead(site, proof, windowBrowser);
};

if (windowBrowser.isSeen() && !windowBrowser.savesData()) void begin(document);
