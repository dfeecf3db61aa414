import { Component, type PropsWithChildren, type ReactNode } from 'react';
import { useTexts } from '../environment.ts';
import { Button } from './button.tsx';
import styles from './text-page.module.css';

type TextPageProps = {
  readonly title: string;
  readonly lead: ReactNode;
  readonly children?: ReactNode;
};

export const TextPage = ({ title, lead, children }: TextPageProps): ReactNode => (
  <div className={styles.page}>
    <header>
      <h1>{title}</h1>
      <p className={styles.lead}>{lead}</p>
    </header>
    {children}
  </div>
);

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

const UnexpectedError = (): ReactNode => {
  const texts = useTexts('frame');
  return (
    <div role="alert">
      <TextPage title={texts.unexpectedError} lead={texts.unexpectedErrorLead}>
        <div>
          <Button look="primary" onClick={() => location.reload()}>
            {texts.reload}
          </Button>
        </div>
      </TextPage>
    </div>
  );
};
