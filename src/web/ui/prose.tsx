import type { ReactNode } from 'react';
import { fill } from '#shared/fill.ts';
import { isPagePath } from '#shared/paths.ts';
import { useLocalPath, useTexts } from '../environment.ts';
import styles from './text-page.module.css';

/** Paragraphs and, as arrays, lists of a page. */
export type ProseTexts = readonly (string | readonly string[])[];

const MARKS = /\[(?<words>[^\]]+)\]\((?<href>[^)\s]+)\)|`(?<code>[^`]+)`/g;

const Link = ({ words, href }: { readonly words: string; readonly href: string }): ReactNode => {
  const localPath = useLocalPath();
  const leaves = !href.startsWith('/') && { target: '_blank', rel: 'noopener noreferrer' };
  return (
    <a
      href={isPagePath(href.replace(/#.*/, '')) ? localPath(href) : href}
      dir={words === href ? 'ltr' : undefined}
      {...leaves}
    >
      {words}
    </a>
  );
};

/** `[words](address)` is a link, and text in backquotes is code. */
export const Rich = ({ text }: { readonly text: string }): ReactNode => {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { index, 0: match, groups = {} } of text.matchAll(MARKS)) {
    const { words, href, code } = groups;
    parts.push(
      text.slice(end, index),
      words === undefined || href === undefined ? (
        <code key={index} className={styles.example} dir="ltr">
          {code}
        </code>
      ) : (
        <Link key={index} words={words} href={href} />
      ),
    );
    end = index + match.length;
  }
  return [...parts, text.slice(end)];
};

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
