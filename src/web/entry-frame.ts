import { windowBrowser } from './browser.ts';
import { startAddressButtons } from './features/contact/address-buttons.ts';
import { startLanguageLinks } from './features/language/choose-language.ts';
import { startStatusLink } from './features/status/status-words.ts';
import { fetchFace } from './ui/frame/fetch-face.ts';
import { startMenuButton } from './ui/frame/menu-button.ts';
import { startThemeSwitch } from './ui/frame/theme-choice.ts';

// What every page does around its content, and all that a page of text does. Without React.
startMenuButton(document);
startThemeSwitch(document);
startLanguageLinks(document);
startAddressButtons(document);
startStatusLink(document, windowBrowser);
// Heard by `keep-press.js`.
dispatchEvent(new CustomEvent('interactive', { detail: 'frame' }));

if (!windowBrowser.savesData()) fetchFace(document);

// Keeps a page for when there is no network. Best effort: this page does not need it.
if (document.querySelector('[data-offline-page]'))
  void navigator.serviceWorker
    ?.register('/service-worker.js', { updateViaCache: 'none' })
    .catch(() => undefined);
