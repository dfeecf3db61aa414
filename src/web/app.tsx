import { useEffect, type ComponentType, type ReactNode } from 'react';
import { EnvironmentContext, type Environment } from './environment.ts';
import { ErrorBoundary } from './ui/text-page.tsx';

type AppProps = { readonly environment: Environment; readonly Content: ComponentType };

export const App = ({ environment, Content }: AppProps): ReactNode => {
  useEffect(() => {
    // Heard by `entry-early.ts`. The effects of all that is on the page have run by now.
    dispatchEvent(new CustomEvent('interactive', { detail: 'app' }));
  }, []);
  return (
    <EnvironmentContext value={environment}>
      <ErrorBoundary>
        <Content />
      </ErrorBoundary>
    </EnvironmentContext>
  );
};
