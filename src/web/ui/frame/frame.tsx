import type { ReactNode } from 'react';
import type { Site } from '#shared/site.ts';
import styles from './frame.module.css';
import { Navigation } from './navigation.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

type FrameProps = { readonly site: Site; readonly path: string; readonly children: ReactNode };

const CONTENT_ID = 'content';

/** What every page has around it. */
export const Frame = ({ site, path, children }: FrameProps): ReactNode => (
  <>
    <a href={`#${CONTENT_ID}`} className={styles.skip}>
      Skip to content
    </a>
    <header>
      {site.sandbox && (
        <p className={styles.ribbon}>
          Sandbox: every profile shown here is made up. No real platform is asked.
        </p>
      )}
      <div className={styles.bar}>
        <a href="/" className={styles.brand}>
          <img src="/favicon.svg" alt="" width="40" height="40" fetchPriority="low" />
          <span className={styles.brandText}>
            <span className={styles.brandName}>{site.brandName}</span>
            <span className={styles.subtitle}>Unofficial Lookup</span>
          </span>
        </a>
        <ThemeSwitch />
        <Navigation path={path} tokenDonations={site.tokenDonations} />
      </div>
    </header>
    <main id={CONTENT_ID} tabIndex={-1} className={styles.main}>
      {children}
    </main>
    <footer className={styles.footer}>
      <div>
        <p>
          {site.brandName} is an unofficial tool. It is not affiliated with, endorsed by or sponsored by{' '}
          {site.platformName}.
        </p>
        <ul>
          <li>
            <a href="/donate">Support us</a>
          </li>
          <li>
            <a href="/contact">Contact us</a>
          </li>
          <li>
            <a href="/privacy">Privacy</a>
          </li>
        </ul>
      </div>
    </footer>
  </>
);
