import type { ReactNode } from 'react';
import { fill } from '#shared/fill.ts';
import type { OpenApiOperation } from '#shared/site.ts';
import { useEnvironment, useTexts } from '../environment.ts';
import { useFormats } from '../use-formats.ts';
import { Prose, ProseSection, Section } from '../ui/prose.tsx';
import { TextPage } from '../ui/text-page.tsx';
import styles from './api.module.css';
import example from './api-example.mjs?raw';

/** Made from the OpenAPI document, on the server alone. */
export const ApiRoute = (): ReactNode => {
  const { site } = useEnvironment();
  if (site.api === undefined) throw new Error('The page came without the description of the API.');
  const { document, limits } = site.api;
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
      <Section title={texts.routes.title}>
        <Prose texts={[texts.routes.text]} />
        {Object.entries(document.paths).map(([path, operations]) =>
          Object.entries(operations).map(([method, operation]) => (
            <Operation key={path} name={`${method.toUpperCase()} ${path}`} {...operation} />
          )),
        )}
      </Section>
    </TextPage>
  );
};

type OperationProps = OpenApiOperation & { readonly name: string };

/** The document is in English on every page. */
const Operation = ({ name, summary, description, requestBody, responses }: OperationProps): ReactNode => (
  <section className={styles.operation} lang="en" dir="ltr">
    <h3>
      <code>{name}</code>
    </h3>
    <p>{summary}</p>
    {description !== undefined && <p>{description}</p>}
    <dl>
      {[
        ...Object.entries(requestBody?.content['application/json'].schema.properties ?? {}),
        ...Object.entries(responses),
      ].map(([part, of]) => (
        <div key={part}>
          <dt>
            <code>{part}</code>
          </dt>
          <dd>{of.description}</dd>
        </div>
      ))}
    </dl>
  </section>
);
