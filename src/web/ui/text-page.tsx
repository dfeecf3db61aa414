import type { ReactNode } from 'react';
import { stepTitle } from '../texts/frame.ts';
import styles from './text-page.module.css';

type TextPageProps = { readonly title: string; readonly lead: ReactNode; readonly children?: ReactNode };

/** A page to be read. */
export const TextPage = ({ title, lead, children }: TextPageProps): ReactNode => (
  <div className={styles.page}>
    <header>
      <h1>{title}</h1>
      <p className={styles.lead}>{lead}</p>
    </header>
    {children}
  </div>
);

type SectionProps = { readonly title: string; readonly children: ReactNode };

export const Section = ({ title, children }: SectionProps): ReactNode => (
  <section className={styles.section}>
    <h2>{title}</h2>
    {children}
  </section>
);

type StepProps = SectionProps & { readonly number: number };

export const Step = ({ number, title, children }: StepProps): ReactNode => (
  <li className={styles.card}>
    <span className={styles.step}>{stepTitle(number)}</span>
    <h2>{title}</h2>
    {children}
  </li>
);
