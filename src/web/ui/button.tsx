import type { ComponentProps, ReactNode } from 'react';
import styles from './button.module.css';

type ButtonProps = Omit<ComponentProps<'button'>, 'className' | 'disabled'> & {
  readonly look?: 'primary' | 'plain' | 'quiet';
  /** Ignores presses but keeps the focus, which a disabled button would lose. */
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
    onClick={(event) => {
      if (busy) event.preventDefault();
      else onClick?.(event);
    }}
  />
);
