import type { ReactNode } from 'react';

type FactProps = {
  readonly name: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
};

export const Fact = ({ name, className, children }: FactProps): ReactNode => (
  <div className={className}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
