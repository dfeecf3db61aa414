import type { ReactNode } from 'react';
import { fill } from '#shared/fill.ts';
import { useEnvironment, useTexts } from '../environment.ts';
import { useFormats } from '../use-formats.ts';
import { Prose, ProseSection, Section } from '../ui/prose.tsx';
import { TextPage } from '../ui/text-page.tsx';
import styles from './api.module.css';
import example from './api-example.mjs?raw';

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
        <Prose texts={[texts.example.text]} />
        <pre className={styles.code} tabIndex={0} dir="ltr" lang="en">
          {example}
        </pre>
      </Section>
      <ProseSection title={texts.routes.title} texts={[texts.routes.text]} />
    </TextPage>
  );
};
