import { Component, type ReactNode } from 'react';

type ErrorBoundaryProps = { readonly children: ReactNode };

/** A class because React offers no other way to catch an error of rendering. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <main role="alert">
        <h1>Unexpected Application Error!</h1>
        <p>
          <a href="/">Back to Lookup</a>
        </p>
      </main>
    );
  }
}
