import type { Page, Response } from '@playwright/test';

/** A script or style sheet that the browser fetched, as many bytes as went over the wire. */
export type PageFile = { readonly name: string; readonly kind: 'js' | 'css'; readonly bytes: number };

export type PageFiles = {
  /** What was fetched since the last call. */
  readonly take: () => Promise<readonly PageFile[]>;
};

const NAME = /\/(?<stem>[\w-]+?)(?:-[\w-]{8})?\.(?<kind>js|css)$/;

const toFile = async (response: Response): Promise<PageFile | undefined> => {
  const { stem, kind } = NAME.exec(new URL(response.url()).pathname)?.groups ?? {};
  if (stem === undefined || (kind !== 'js' && kind !== 'css')) return undefined;
  const { 'content-encoding': encoding, 'content-length': length } = await response.allHeaders();
  if (encoding !== 'br') throw new Error(`${response.url()} came without brotli.`);
  return { name: `${stem}.${kind}`, kind, bytes: Number(length) };
};

export const watchPageFiles = (page: Page): PageFiles => {
  // By address: the browser takes a file for several workers from its cache.
  let responses = new Map<string, Response>();
  page.on('response', (response) => responses.set(response.url(), response));
  return {
    take: async () => {
      const taken = responses;
      responses = new Map();
      const files = await Promise.all([...taken.values()].map(toFile));
      return files.filter((file) => file !== undefined);
    },
  };
};
