import type { ReactNode } from 'react';
import { BRAND_FLAKE } from '../../ui/growing-flake.tsx';
import styles from './example-card.module.css';

const BARS = ['16 139 206 10', '16 157 93 10', '16 207 99 44', '123 207 99 44'];

/** What an answer looks like. */
export const ExampleCard = (): ReactNode => (
  <svg className={`surface ${styles.card}`} viewBox="0 0 238 267" aria-hidden="true" data-turns>
    <path d="M0 0H238V91H0z" fill="var(--color-accent)" />
    <path d={BRAND_FLAKE} transform="translate(194 30) scale(1.3)" strokeOpacity="0.5" strokeWidth="2" />
    <circle cx="52" cy="87" r="34" fill="var(--color-accent)" stroke="var(--color-surface)" strokeWidth="4" />
    <path d={BRAND_FLAKE} transform="translate(52 87) scale(0.64)" strokeWidth="5" />
    {BARS.map((bar) => {
      const [x, y, width, height] = bar.split(' ');
      return <rect key={bar} {...{ x, y, width, height }} rx="8" fill="var(--color-raised)" stroke="none" />;
    })}
    <g fill="var(--color-surface)" stroke="var(--color-action)" strokeWidth="3">
      <path d="M16 187H222" />
      <circle cx="74" cy="187" r="5" />
    </g>
  </svg>
);
