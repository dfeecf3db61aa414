import type { ReactNode } from 'react';
import type { Site } from '#shared/site.ts';
import { useTexts } from '../../environment.ts';
import buttonStyles from '../button.module.css';
import { Link } from '../button.tsx';
import { Icon } from '../icon.tsx';
import styles from './frame.module.css';

type FrameProps = {
  readonly site: Site;
  readonly path: string;
  readonly status: ReactNode;
  readonly languages: ReactNode;
  readonly children: ReactNode;
};

const CONTENT_ID = 'content';

/** Rendered on the server alone; what it does is in `entry-frame.ts`. */
export const Frame = ({ site, path, status, languages, children }: FrameProps): ReactNode => {
  const texts = useTexts('frame');
  return (
    <>
      <a href={`#${CONTENT_ID}`} className={`${buttonStyles.primary} ${styles.skip}`}>
        {texts.skip}
      </a>
      <header>
        {site.sandbox && <p className={`small ${styles.ribbon}`}>{texts.demoMode}</p>}
        <div className={`row ${styles.bar}`}>
          <Link href="/" className={`target ${styles.brand}`}>
            <img src="/favicon.svg" alt="" width="40" height="40" fetchPriority="low" />
            <span className={styles.brandText}>
              <span className={styles.brandName}>{site.brandName}</span>
              <span className="small">{texts.subtitle}</span>
            </span>
          </Link>
          <Navigation path={path} tokenDonations={site.tokenDonations} />
          <ThemeSwitch />
        </div>
      </header>
      <main id={CONTENT_ID} tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <Footer {...site} status={status} languages={languages} />
    </>
  );
};

type NavigationProps = { readonly path: string; readonly tokenDonations: boolean };

const LIST_ID = 'links';

const Navigation = ({ path, tokenDonations }: NavigationProps): ReactNode => {
  const texts = useTexts('frame');
  const link = (href: string, words: string): ReactNode => (
    <li>
      <Link href={href} className="target quiet" aria-current={href === path ? 'page' : undefined}>
        {words}
      </Link>
    </li>
  );
  return (
    <nav className={styles.nav} aria-label={texts.navigation}>
      <button
        type="button"
        className={`scripted ${styles.tool}`}
        aria-label={texts.menu}
        aria-expanded="false"
        aria-controls={LIST_ID}
      >
        <Icon name="menu" />
        <Icon name="close" />
      </button>
      <ul id={LIST_ID} className={styles.links}>
        {link('/', texts.lookup)}
        {tokenDonations && link('/token-donation', texts.tokenDonation)}
        {link('/donate', texts.supportUs)}
      </ul>
    </nav>
  );
};

/** The server cannot know its state: `theme-choice.ts` says it. */
const ThemeSwitch = (): ReactNode => {
  const { darkTheme } = useTexts('frame');
  return (
    <button
      type="button"
      id="theme"
      className={`scripted ${styles.tool} ${styles.theme}`}
      aria-label={darkTheme}
      title={darkTheme}
    >
      <Icon name="moon" />
      <Icon name="sun" />
    </button>
  );
};

type FooterProps = Pick<FrameProps, 'status' | 'languages'> & Pick<Site, 'brandName' | 'version'>;

const Footer = ({ status, languages, brandName, version }: FooterProps): ReactNode => {
  const texts = useTexts('frame');
  const link = (href: string, words: string): ReactNode => (
    <li>
      <Link href={href} className="target">
        {words}
      </Link>
    </li>
  );
  return (
    <footer className={styles.footer}>
      <div className="small">
        {status}
        <p>{texts.unofficial}</p>
        <ul className="row">
          {link('/donate', texts.supportUs)}
          {link('/contact', texts.contactUs)}
          {link('/help', texts.help)}
          {link('/privacy', texts.privacy)}
          {link('/api', texts.api)}
        </ul>
        <div className={`row ${styles.end}`}>
          {languages}
          <small>
            {brandName} {version}
          </small>
        </div>
      </div>
    </footer>
  );
};
