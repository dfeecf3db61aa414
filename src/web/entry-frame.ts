import { windowBrowser } from './browser.ts';
import { startAddressButtons } from './features/contact/address-buttons.ts';
import { startLanguageLinks } from './features/language/chosen-language.ts';
import { startStatusLink } from './features/status/status-words.ts';
import { startMenuButton } from './ui/frame/menu-button.ts';
import { startThemeSwitch } from './ui/frame/theme-choice.ts';

/** A status that stays on a screen must change. */
const STAYS_MS = 10_000;
const SIGNS_OF_USE = ['pointermove', 'pointerdown', 'keydown', 'focusin', 'scroll', 'click'];

const whenUsed = (task: () => void): void => {
  // Before this code had come.
  if (document.activeElement !== document.body) return task();
  const listening = new AbortController();
  const start = (): void => {
    listening.abort();
    task();
  };
  const cancelTimer = windowBrowser.after(STAYS_MS, start);
  const use = (event: Event): void => {
    // A browser also reports a pointer that rests where a page appears. A screen reader may only click.
    if (event instanceof PointerEvent && event.type === 'pointermove' && !event.movementX && !event.movementY)
      return;
    cancelTimer();
    start();
  };
  for (const sign of SIGNS_OF_USE)
    addEventListener(sign, use, { capture: true, passive: true, signal: listening.signal });
};

const whenPainted = (task: () => void): void => {
  if (document.hidden) task();
  else requestAnimationFrame(() => void windowBrowser.after(0, task));
};

const loadContent = (page: Document): void => {
  const { client, waits } = page.getElementById('root')?.dataset ?? {};
  if (client === undefined) return;
  const when = waits === undefined ? whenPainted : whenUsed;
  when(() => void import(/* @vite-ignore */ client));
};

startMenuButton(document);
startThemeSwitch(document);
startLanguageLinks(document);
startAddressButtons(document);
startStatusLink(document, windowBrowser);
loadContent(document);
dispatchEvent(new CustomEvent('interactive', { detail: 'frame' }));
