import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Site } from '#shared/site.ts';
import styles from './frame.module.css';

type FrameProps = { readonly site: Site; readonly children: ReactNode };

/** What every page has around it. */
export const Frame = ({ site, children }: FrameProps): ReactNode => (
  <>
    <header>
      {site.sandbox && (
        <p className={styles.ribbon}>
          Sandbox: every profile shown here is made up. No real platform is asked.
        </p>
      )}
      <div className={styles.bar}>
        <Link href="/" className={styles.brand}>
          <img src="/favicon.svg" alt="" width="36" height="36" fetchPriority="low" />
          <span className={styles.brandText}>
            <span className={styles.brandName}>{site.brandName}</span>
            <span className={styles.subtitle}>Unofficial Lookup</span>
          </span>
        </Link>
      </div>
    </header>
    <main className={styles.main}>{children}</main>
    <footer className={styles.footer}>
      {site.brandName} is an unofficial tool. It is not affiliated with, endorsed by or sponsored by{' '}
      {site.platformName}.
    </footer>
  </>
);
