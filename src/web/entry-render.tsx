import type { ComponentType, ReactNode } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { directionOf, factsOf } from '#shared/languages.ts';
import type { PageAssets, PageRenderer } from '#shared/page.ts';
import type { PageName } from '#shared/paths.ts';
import type { Site } from '#shared/site.ts';
import { App } from './app.tsx';
import { DATA_ELEMENT_ID, serializeCarried, type CarriedData } from './texts/carried-data.ts';
import { windowBrowser } from './browser.ts';
import { EnvironmentContext, type Environment } from './environment.ts';
import { LanguageList } from './features/language/language-list.tsx';
import { LanguageOffers } from './features/language/language-offers.tsx';
import { StatusLink } from './features/status/status-link.tsx';
import { renderEnd, renderHead } from './page-head.tsx';
import { appPages, isAppPage, pageAt, textPages } from './pages.ts';
import { localize } from './texts/localize.ts';
import { sectionsOf } from './texts/page-sections.ts';
import { createTextStore } from './texts/text-store.ts';
import { Frame } from './ui/frame/frame.tsx';

const contents = Object.fromEntries(
  await Promise.all(
    Object.entries({ ...appPages, ...textPages }).map(async ([page, load]) => [page, await load(true)]),
  ),
) as Readonly<Record<PageName, ComponentType>>;

const renderData = (data: CarriedData): string =>
  `<script type="application/json" id="${DATA_ELEMENT_ID}">${serializeCarried(data)}</script>`;

/** The less a page carries of the site, the sooner it has arrived. */
const siteFor = (page: PageName, site: Site): Site => ({
  ...site,
  contact: [],
  sampleIds: page === '/' && !site.linked ? site.sampleIds : [],
});

/** The content of a page; one that React runs is rendered by itself, as React finds it in the browser. */
const contentOf = (page: PageName, environment: Environment, { client }: PageAssets): ReactNode => {
  const Content = contents[page];
  if (!isAppPage(page)) return <Content />;
  const __html = renderToString(<App environment={environment} Content={Content} />);
  const { linked } = environment.site;
  return <div id="root" data-client={client[0]} data-linked={linked} dangerouslySetInnerHTML={{ __html }} />;
};

export const renderPage: PageRenderer['renderPage'] = (wanted) => {
  const { path, language, site } = wanted;
  const page = pageAt(path, site);
  const texts = { language, sections: localize(sectionsOf(page, site.sandbox), language, site) };
  const environment = { site, browser: windowBrowser, texts: createTextStore(texts) };
  const body = renderToStaticMarkup(
    <EnvironmentContext value={environment}>
      <Frame
        site={site}
        path={path}
        status={<StatusLink path={path} />}
        languages={<LanguageList path={path} />}
      >
        {contentOf(page, environment, wanted.assets)}
      </Frame>
      {page === '/' && language === 'en' && <LanguageOffers />}
    </EnvironmentContext>,
  );
  const { tag } = factsOf(language);
  const data = isAppPage(page) ? renderData({ site: siteFor(page, site), texts }) : '';
  return (
    `<!doctype html><html lang="${tag}" dir="${directionOf(language)}"><head>${renderHead(wanted)}</head>` +
    // The first paint waits for what comes before the end of the page, so all that only code reads comes after.
    `<body><div id="page">${body}</div><div id="whole" hidden></div>${renderEnd(wanted)}${data}</body></html>`
  );
};

export const describeSite: PageRenderer['describeSite'] = (language, site) => {
  const { lookup, search } = localize(['head'], language, site).head;
  return { purpose: lookup, search };
};
