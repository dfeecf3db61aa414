import type { ReactNode } from 'react';
import { Link } from 'wouter';
import styles from './not-found.module.css';

export const NotFoundRoute = (): ReactNode => (
  <>
    <h1>Page not found</h1>
    <Link href="/" className={styles.back}>
      Back to Lookup
    </Link>
  </>
);
