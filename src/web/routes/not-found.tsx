import type { ReactNode } from 'react';
import { Link } from 'wouter';

export const NotFoundRoute = (): ReactNode => (
  <>
    <h1>Page not found</h1>
    <p>
      <Link href="/">Back to Lookup</Link>
    </p>
  </>
);
