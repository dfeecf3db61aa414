import type { AltchaWidget } from './altcha-widget.tsx';

type Widget = typeof AltchaWidget;

let loaded: Widget | undefined;

/** Fetches the widget, which is the one large part of the pages, and gives its component. */
export const loadAltcha = async (): Promise<Widget> => {
  loaded = (await import('./altcha-widget.tsx')).AltchaWidget;
  return loaded;
};

/** The widget, if it is loaded already: then a captcha opens with it. */
export const altchaAtHand = (): Widget | undefined => loaded;

/** Loads the widget before a captcha opens. A failure is reported by the captcha, which can try again. */
export const preloadAltcha = (): void => void loadAltcha().catch(() => undefined);
