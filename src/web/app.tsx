import { useEffect, type ReactNode } from 'react';
import { Router, useLocation } from 'wouter';
import { EnvironmentContext, useEnvironment, type Environment } from './environment.ts';
import { pageAt } from './pages.ts';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { Frame } from './ui/frame.tsx';
import './ui/theme.css';

const CurrentPage = (): ReactNode => {
  const { site } = useEnvironment();
  const [path] = useLocation();
  const { title, Content } = pageAt(path);
  const pageTitle = title(site);
  useEffect(() => {
    document.title = pageTitle;
  }, [pageTitle]);
  return <Content />;
};

type AppProps = {
  readonly environment: Environment;
  /** The path to render where there is no address bar. */
  readonly renderedPath?: string;
};

export const App = ({ environment, renderedPath }: AppProps): ReactNode => (
  <ErrorBoundary>
    <EnvironmentContext value={environment}>
      <Router {...(renderedPath === undefined ? {} : { ssrPath: renderedPath })}>
        <Frame site={environment.site}>
          <CurrentPage />
        </Frame>
      </Router>
    </EnvironmentContext>
  </ErrorBoundary>
);
