import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';

type ErrorBoundaryProps = { readonly children: ReactNode };

/** A class because React offers no other way to catch an error of rendering. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? <UnexpectedError /> : this.props.children;
  }
}

const UnexpectedError = (): ReactNode => (
  <div role="alert">
    <h1>Unexpected Application Error!</h1>
    <p>Something went wrong on this page. Loading it again may help.</p>
    <Button look="primary" onClick={() => location.reload()}>
      Reload
    </Button>
  </div>
);
