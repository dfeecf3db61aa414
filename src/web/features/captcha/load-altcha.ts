import { loadOnce } from './load-once.ts';

/** Fetches the widget, which is the one large part of the pages, and gives its component. */
export const loadAltcha = loadOnce(async () => {
  const { setUpAltcha } = await import('./altcha-widget.tsx');
  return setUpAltcha();
});

/** Has the widget at hand before a captcha opens. A failure is told, and mended, there. */
export const preloadAltcha = (): void => void loadAltcha().catch(() => undefined);
