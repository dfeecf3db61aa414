import type { ComponentProps, ReactNode } from 'react';
import { useLocalPath } from '../environment.ts';
import styles from './button.module.css';
import { Icon } from './icon.tsx';

type ButtonProps = Omit<ComponentProps<'button'>, 'disabled'> & {
  readonly look?: 'primary' | 'plain';
  /** Ignores presses, but keeps a focus that it has, which a disabled button would lose. */
  readonly busy?: boolean;
};

export const Button = ({
  look = 'plain',
  className = styles[look],
  busy = false,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps): ReactNode => (
  <button
    {...rest}
    type={type}
    className={className}
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

type LinkProps = ComponentProps<'a'> & { readonly href: string };

/** To a page of this site in the same language, or to another site, which does not learn from where. */
export const Link = ({ href, ...rest }: LinkProps): ReactNode => {
  const localPath = useLocalPath();
  return href.startsWith('/') ? (
    <a href={localPath(href)} {...rest} />
  ) : (
    <a href={href} target="_blank" rel="noreferrer" {...rest} />
  );
};

type ButtonLinkProps = {
  readonly href: string;
  readonly look?: 'primary' | 'plain';
  readonly children: ReactNode;
};

export const ButtonLink = ({ href, look = 'plain', children }: ButtonLinkProps): ReactNode => (
  <Link href={href} className={styles[look]}>
    {children}
    {!href.startsWith('/') && <Icon name="external" />}
  </Link>
);
