import { importAgain } from '../../import-again.ts';

/** Fetches the widget, which is the one large part of the pages, and gives its component. */
export const loadAltcha = async () => (await importAgain(() => import('./altcha-widget.tsx'))).AltchaWidget;

export type AltchaWidget = Awaited<ReturnType<typeof loadAltcha>>;

/** Has the widget at hand before a captcha opens. A failure is told there, where it can be tried again. */
export const preloadAltcha = (): void => void loadAltcha().catch(() => undefined);
