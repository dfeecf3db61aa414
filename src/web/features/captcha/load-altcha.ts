import type { AltchaWidget } from './altcha-widget.tsx';

type Widget = typeof AltchaWidget;

let loaded: Widget | undefined;

export const loadAltcha = async (): Promise<Widget> => {
  loaded = (await import('./altcha-widget.tsx')).AltchaWidget;
  return loaded;
};

export const altchaAtHand = (): Widget | undefined => loaded;

/** Loads the widget before a captcha opens. A failure is reported by the captcha, which can try again. */
export const preloadAltcha = (): void => void loadAltcha().catch(() => undefined);
