import { Component, type PropsWithChildren, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { TextPage } from './text-page.tsx';

/** A class because React offers no other way to catch an error of rendering. */
export class ErrorBoundary extends Component<PropsWithChildren, { readonly failed: boolean }> {
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
    <TextPage
      title="Unexpected Application Error!"
      lead="Something went wrong on this page. Loading it again may help."
    >
      <div>
        <Button look="primary" onClick={() => location.reload()}>
          Reload
        </Button>
      </div>
    </TextPage>
  </div>
);
