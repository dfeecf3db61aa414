import type { ReactNode } from 'react';
import styles from './growing-flake.module.css';

const ARMS = 6;

const armOf = (arm: number): string => {
  const angle = (arm * 2 * Math.PI) / ARMS;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const at = (x: number, y: number): string =>
    `${(x * cos - y * sin).toFixed(1)} ${(x * sin + y * cos).toFixed(1)}`;
  const branches = (root: number, side: number): string =>
    `M${at(-side, root - side)}L${at(0, root)}L${at(side, root - side)}`;
  return `M${at(0, 0)}L${at(0, -42)}${branches(-30, 9)}${branches(-16, 7)}`;
};

const arms = Array.from({ length: ARMS }, (_, arm) => armOf(arm));

/** The brand's snowflake, around 0 0: it reaches 42 units far. */
export const BRAND_FLAKE = arms.join('');

export const GrowingFlake = ({ share }: { readonly share: number }): ReactNode => (
  <svg className={styles.flake} viewBox="-50 -50 100 100" aria-hidden="true">
    {arms.map((path, arm) => (
      <path key={path} d={path} data-grown={share * ARMS > arm ? '' : undefined} />
    ))}
  </svg>
);
