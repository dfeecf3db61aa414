import { useEffect, type ComponentType, type ReactNode } from 'react';
import { EnvironmentContext, type Environment } from './environment.ts';
import { LanguageList } from './features/language/language-list.tsx';
import { StatusLink } from './features/status/status-link.tsx';
import { Frame } from './ui/frame/frame.tsx';
import { ErrorBoundary } from './ui/text-page.tsx';
import './ui/theme.css';
import './ui/scripts.css';
import './ui/openings.css';
import './ui/more-contrast.css';

type AppProps = {
  readonly environment: Environment;
  /** Where the visitor is, without the language. */
  readonly path: string;
  /** What is shown there. */
  readonly Content: ComponentType;
};

export const App = ({ environment, path, Content }: AppProps): ReactNode => {
  useEffect(() => {
    // Heard by `keep-press.js`. The effects of all that is on the page have run by now.
    dispatchEvent(new Event('interactive'));
  }, []);
  return (
    <EnvironmentContext value={environment}>
      <ErrorBoundary>
        <Frame
          site={environment.site}
          path={path}
          status={<StatusLink path={path} />}
          languages={<LanguageList path={path} />}
        >
          <ErrorBoundary>
            <Content />
          </ErrorBoundary>
        </Frame>
      </ErrorBoundary>
    </EnvironmentContext>
  );
};
