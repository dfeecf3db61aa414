import type { ReactNode } from 'react';
import styles from './growing-flake.module.css';

/** The six arms of a flake around 0 0, by the path of the one that points up. */
export const armsOf = (path: string): readonly string[] =>
  [0, 1, 2, 3, 4, 5].map((arm) => {
    const cos = Math.cos((arm * Math.PI) / 3);
    const sin = Math.sin((arm * Math.PI) / 3);
    return path.replaceAll(
      /([-.\d]+) ([-.\d]+)/g,
      (_point, x, y) => `${(x * cos - y * sin).toFixed(1)} ${(x * sin + y * cos).toFixed(1)}`,
    );
  });

const arms = armsOf('M0 0L0 -42M-9 -39L0 -30L9 -39M-7 -23L0 -16L7 -23');

/** The brand's snowflake, around 0 0: it reaches 42 units far. */
export const BRAND_FLAKE = arms.join('');

export const GrowingFlake = ({ share }: { readonly share: number }): ReactNode => (
  <svg className={styles.flake} viewBox="-50 -50 100 100" aria-hidden="true">
    {arms.map((path, arm) => (
      <path key={path} d={path} data-grown={share * arms.length > arm ? '' : undefined} />
    ))}
  </svg>
);
