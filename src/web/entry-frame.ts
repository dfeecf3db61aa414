import { windowBrowser } from './browser.ts';
import { startAddressButtons } from './features/contact/address-buttons.ts';
import { startLanguageLinks, startLanguageOffer } from './features/language/chosen-language.ts';
import { startStatusLink } from './features/status/status-words.ts';
import { startMenuButton } from './ui/frame/menu-button.ts';
import { startThemeSwitch } from './ui/frame/theme-choice.ts';

const whenPainted = (task: () => void): void => {
  if (document.hidden) task();
  else requestAnimationFrame(() => void windowBrowser.after(0, task));
};

const loadContent = (page: Document): void => {
  const client = page.getElementById('root')?.dataset['client'];
  if (client !== undefined) whenPainted(() => void import(/* @vite-ignore */ client));
};

startMenuButton(document);
startThemeSwitch(document);
startLanguageLinks(document);
startLanguageOffer(document);
startAddressButtons(document);
startStatusLink(document, windowBrowser);
loadContent(document);
dispatchEvent(new CustomEvent('interactive', { detail: 'frame' }));
