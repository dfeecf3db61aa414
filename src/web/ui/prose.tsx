import type { ReactNode } from 'react';
import { fill } from '#shared/fill.ts';
import { isPagePath } from '#shared/paths.ts';
import { useTexts } from '../environment.ts';
import { Link } from './button.tsx';
import styles from './text-page.module.css';

/** Paragraphs and, as arrays, lists of a page. */
type ProseTexts = readonly (string | readonly string[])[];

/** `[words](address)` is a link, and text in backquotes is code. */
const MARK = /(\[[^\]]+\]\([^)\s]+\)|`[^`]+`)/;

const Marked = ({ mark }: { readonly mark: string }): ReactNode => {
  const [words = '', href] = mark.slice(1, -1).split('](');
  if (href === undefined)
    return (
      <code className={styles.example} dir="ltr">
        {words}
      </code>
    );
  // A file of this site is the same in every language.
  const Anchor = href.startsWith('/') && !isPagePath(href.replace(/#.*/, '')) ? 'a' : Link;
  return (
    <Anchor href={href} dir={words === href ? 'ltr' : undefined}>
      {words}
    </Anchor>
  );
};

export const Rich = ({ text }: { readonly text: string }): ReactNode =>
  text.split(MARK).map((part, place) => (place % 2 ? <Marked key={place} mark={part} /> : part));

export const Prose = ({ texts }: { readonly texts: ProseTexts }): ReactNode =>
  texts.map((text) =>
    typeof text === 'string' ? (
      <p key={text}>
        <Rich text={text} />
      </p>
    ) : (
      <ul key={text[0]}>
        {text.map((item) => (
          <li key={item}>
            <Rich text={item} />
          </li>
        ))}
      </ul>
    ),
  );

type SectionProps = {
  readonly title: string;
  readonly id?: string;
  readonly children: ReactNode;
};

export const Section = ({ title, id, children }: SectionProps): ReactNode => (
  <section id={id} className={styles.section}>
    <h2>{title}</h2>
    {children}
  </section>
);

type StepProps = Omit<SectionProps, 'id'> & { readonly number: number };

export const Step = ({ number, title, children }: StepProps): ReactNode => (
  <li className={`surface ${styles.card}`}>
    <span className={styles.step}>{fill(useTexts('tokenDonation').step, { number })}</span>
    <h2>{title}</h2>
    {children}
  </li>
);

type ProseSectionProps = { readonly title: string; readonly id?: string; readonly texts: ProseTexts };

export const ProseSection = ({ texts, ...section }: ProseSectionProps): ReactNode => (
  <Section {...section}>
    <Prose texts={texts} />
  </Section>
);
