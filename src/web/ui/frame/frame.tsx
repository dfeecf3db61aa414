import type { ReactNode } from 'react';
import type { Site } from '#shared/site.ts';
import styles from './frame.module.css';
import * as texts from '../../texts/frame.ts';
import { Navigation } from './navigation.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

type FrameProps = {
  readonly site: Site;
  readonly path: string;
  /** How the site is doing, for the footer. */
  readonly status: ReactNode;
  readonly children: ReactNode;
};

const CONTENT_ID = 'content';

/** What every page has around it. */
export const Frame = ({ site, path, status, children }: FrameProps): ReactNode => (
  <>
    <a href={`#${CONTENT_ID}`} className={styles.skip}>
      {texts.SKIP}
    </a>
    <header>
      {site.sandbox && <p className={styles.ribbon}>{texts.demoMode(site)}</p>}
      <div className={styles.bar}>
        <a href="/" className={styles.brand}>
          <img src="/favicon.svg" alt="" width="40" height="40" fetchPriority="low" />
          <span className={styles.brandText}>
            <span className={styles.brandName}>{site.brandName}</span>
            <span className={styles.subtitle}>{texts.SUBTITLE}</span>
          </span>
        </a>
        <Navigation path={path} tokenDonations={site.tokenDonations} />
        <ThemeSwitch />
      </div>
    </header>
    <main id={CONTENT_ID} tabIndex={-1} className={styles.main}>
      {children}
    </main>
    <Footer site={site} status={status} />
  </>
);

const Footer = ({ site, status }: Pick<FrameProps, 'site' | 'status'>): ReactNode => (
  <footer className={styles.footer}>
    <div>
      {status}
      <p>{texts.unofficial(site)}</p>
      <ul>
        <li>
          <a href="/donate">{texts.SUPPORT_US}</a>
        </li>
        <li>
          <a href="/contact">{texts.CONTACT_US}</a>
        </li>
        <li>
          <a href="/help">{texts.HELP}</a>
        </li>
        <li>
          <a href="/privacy">{texts.PRIVACY}</a>
        </li>
      </ul>
    </div>
  </footer>
);
