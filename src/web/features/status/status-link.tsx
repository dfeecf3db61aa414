import { STATUS_PATH } from '#shared/paths.ts';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useEnvironment, useLocalPath, useTexts, type Browser } from '../../environment.ts';
import type { LiveStatus } from './live-status.ts';
import styles from './status.module.css';

const readLiveStatus = async (browser: Browser): Promise<LiveStatus | undefined> =>
  (await import('./live-status.ts')).readLiveStatus(browser);

/** Says how lookups are going, once it is on the screen and the page has nothing else to do. */
export const StatusLink = ({ path }: { readonly path: string }): ReactNode => {
  const { browser } = useEnvironment();
  const { status } = useTexts('frame');
  const words = useTexts('live');
  const localPath = useLocalPath();
  const link = useRef<HTMLAnchorElement>(null);
  const [live, setLive] = useState<LiveStatus>();
  // The status page shows all of it anyway.
  const here = path === STATUS_PATH;

  useEffect(() => {
    if (link.current === null || here) return undefined;
    const seen = new IntersectionObserver((entries) => {
      if (!browser.isOnline() || !entries.some(({ isIntersecting }) => isIntersecting)) return;
      seen.disconnect();
      // If this part fails to load, the link still works.
      void readLiveStatus(browser).then(setLive, () => undefined);
    });
    seen.observe(link.current);
    return () => seen.disconnect();
  }, [browser, here]);

  return (
    <div className={styles.line}>
      <a ref={link} href={localPath(STATUS_PATH)} aria-current={here ? 'page' : undefined}>
        <span className={`${styles.dot} ${live ? styles[live.tone] : ''}`} aria-hidden="true" />
        {status}
        {live && ` · ${words[live.words]}`}
      </a>
    </div>
  );
};
