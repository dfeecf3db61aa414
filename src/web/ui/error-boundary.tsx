import { Component, type PropsWithChildren, type ReactNode } from 'react';
import * as texts from '../texts/frame.ts';
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
    <TextPage title={texts.UNEXPECTED_ERROR} lead={texts.UNEXPECTED_ERROR_LEAD}>
      <div>
        <Button look="primary" onClick={() => location.reload()}>
          {texts.RELOAD}
        </Button>
      </div>
    </TextPage>
  </div>
);
