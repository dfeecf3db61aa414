import type { ReactNode } from 'react';

type VisuallyHiddenProps = {
  /** Announces every change. The element must already be there, empty, before it has something to say. */
  readonly live?: boolean;
  readonly children: ReactNode;
};

export const VisuallyHidden = ({ live = false, children }: VisuallyHiddenProps): ReactNode => (
  <span className="hidden" role={live ? 'status' : undefined}>
    {children}
  </span>
);
