import type { Site } from './site.ts';

/** The parts that the server puts into the built HTML template for one path. */
export type RenderedPage = { readonly head: string; readonly body: string };

/** The exports of the web part's bundle for the server, which imports it at start-up, never the sources. */
export type PageRenderer = {
  /** Every path with a page of its own; any other path is rendered as not found. */
  readonly paths: readonly string[];
  readonly renderPage: (path: string, site: Site) => RenderedPage;
};
