import type { ReactNode } from 'react';

const paths = {
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h10v10H9zM5 15V5h10',
  download: 'M12 4v11M7 10.5l5 5l5-5M5 20h14',
  error: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 8v5M12 16.5v.01',
  external: 'M13 5h6v6M19 5l-9 9M17 14v5H5V7h5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  moon: 'M20 14.5A8.5 8.5 0 1 1 9.5 4A6.8 6.8 0 0 0 20 14.5z',
  pause: 'M9 6v12M15 6v12',
  play: 'M8 5.5v13l10.5-6.5z',
  sun: 'M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  success: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M8 12.5l3 3l5.5-6.5',
  wait: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 7.5v5l3.5 2',
  warning: 'M12 4L2.5 20h19zM12 10v4M12 17v.01',
};

export type IconName = keyof typeof paths;

/** An ornament: what it means must also be said in words. */
export const Icon = ({ name }: { readonly name: IconName }): ReactNode => (
  <svg
    viewBox="0 0 24 24"
    width="24"
    height="24"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    data-turns={name === 'external' ? '' : undefined}
  >
    <path d={paths[name]} />
  </svg>
);
