import type { ReactNode } from 'react';

type FactProps = {
  readonly name: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
};

/** A row of a description list. */
export const Fact = ({ name, className, children }: FactProps): ReactNode => (
  <div className={className}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
