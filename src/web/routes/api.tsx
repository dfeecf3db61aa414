import type { ReactNode } from 'react';
import { fill } from '#shared/fill.ts';
import { useEnvironment, useTexts } from '../environment.ts';
import { useFormats } from '../use-formats.ts';
import { Prose, ProseSection, Section } from '../ui/prose.tsx';
import { TextPage } from '../ui/text-page.tsx';
import styles from './api.module.css';
import node from './api-example.mjs?raw';
import python from './api-example.py?raw';

export const ApiRoute = (): ReactNode => {
  const { limits } = useEnvironment().site;
  const texts = useTexts('api');
  const { count } = useFormats();
  const filled = {
    challenges: count(limits.challengesPerMinute),
    lookups: count(limits.lookupsPerMinute),
    daily: count(limits.lookupsPerDay),
  };
  return (
    <TextPage title={texts.title} lead={texts.lead}>
      <ProseSection {...texts.proof} />
      <Section title={texts.limits.title}>
        <Prose
          texts={[
            texts.limits.visitor,
            texts.limits.each.map((limit) => fill(limit, filled)),
            texts.limits.errors,
          ]}
        />
      </Section>
      <Section title={texts.example.title}>
        <Prose texts={[texts.example.node]} />
        <Code>{node}</Code>
        <Prose texts={[texts.example.python]} />
        <Code>{python}</Code>
      </Section>
      <ProseSection title={texts.routes.title} texts={[texts.routes.text]} />
    </TextPage>
  );
};

const Code = ({ children }: { readonly children: string }): ReactNode => (
  <pre className={styles.code} tabIndex={0} dir="ltr" lang="en">
    {children}
  </pre>
);
