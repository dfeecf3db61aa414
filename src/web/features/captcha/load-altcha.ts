/** Loads at the first call and remembers it; after a failure the next call tries again. */
export const loadOnce = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
};

/** Fetches the widget, which is the one large part of the pages, and gives its component. */
export const loadAltcha = loadOnce(async () => {
  const { setUpAltcha } = await import('./altcha-widget.tsx');
  return setUpAltcha();
});

export type AltchaWidget = Awaited<ReturnType<typeof loadAltcha>>;

/** Has the widget at hand before a captcha opens. A failure is told there, where it can be tried again. */
export const preloadAltcha = (): void => void loadAltcha().catch(() => undefined);
