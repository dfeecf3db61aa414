import type { ComponentProps, ReactNode } from 'react';
import { useLocalPath } from '../environment.ts';
import styles from './button.module.css';
import { Icon } from './icon.tsx';

type ButtonProps = Omit<ComponentProps<'button'>, 'className' | 'disabled'> & {
  readonly look?: 'primary' | 'plain' | 'quiet';
  /** Ignores presses, but keeps a focus that it has, which a disabled button would lose. */
  readonly busy?: boolean;
};

export const Button = ({
  look = 'plain',
  busy = false,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps): ReactNode => (
  <button
    {...rest}
    type={type}
    className={styles[look]}
    aria-disabled={busy}
    onMouseDown={(event) => {
      // An ignored press must not leave the focus here, or the next Enter would press this button.
      if (busy) event.preventDefault();
    }}
    onClick={(event) => {
      if (busy) event.preventDefault();
      else onClick?.(event);
    }}
  />
);

type ButtonLinkProps = {
  readonly href: string;
  readonly look?: 'primary' | 'plain';
  readonly children: ReactNode;
};

export const ButtonLink = ({ href, look = 'plain', children }: ButtonLinkProps): ReactNode => {
  const localPath = useLocalPath();
  const leaves = !href.startsWith('/');
  return (
    <a
      href={leaves ? href : localPath(href)}
      className={styles[look]}
      {...(leaves && { target: '_blank', rel: 'noreferrer' })}
    >
      {children}
      {leaves && <Icon name="external" />}
    </a>
  );
};
