import type { Browser } from '../../browser.ts';
import type { Texts } from '../../texts/translation.ts';

export const startStatusLink = (page: Document, browser: Browser): void => {
  const link = page.getElementById('status');
  if (link === null) return;
  const tell = async (): Promise<void> => {
    const { readLiveStatus } = await import('./read-status.ts');
    const live = await readLiveStatus(browser);
    if (live === undefined) return;
    const words = JSON.parse(link.dataset['words'] ?? '') as Texts['live'];
    link.firstElementChild?.setAttribute('data-tone', live.tone);
    link.append(` · ${words[live.words]}`);
  };
  const seen = new IntersectionObserver((entries) => {
    if (!browser.isOnline() || !entries.some(({ isIntersecting }) => isIntersecting)) return;
    seen.disconnect();
    // If this part fails to load, the link still works.
    void tell().catch(() => undefined);
  });
  seen.observe(link);
};
