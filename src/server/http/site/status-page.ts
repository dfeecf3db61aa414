import type { Clock } from '#server/system.ts';
import type { Status } from '#shared/contract/status.ts';
import type { StaticFile } from './static-file.ts';
import type { LanguagePages } from './language-pages.ts';

export type StatusPageDeps = {
  readonly pages: Pick<LanguagePages, 'statusPage'>;
  readonly readStatus: () => Status;
  readonly clock: Clock;
};

/** The page is rendered no more often than this. */
const FRESH_MS = 1_000;

/** The page with the current figures, for browsers without scripts and for the first paint in all others. */
export const createStatusPage = ({ pages, readStatus, clock }: StatusPageDeps): (() => StaticFile) => {
  let page: StaticFile | undefined;
  let renderedMs = 0;
  return () => {
    const nowMs = clock.monotonicMs();
    if (page === undefined || nowMs - renderedMs >= FRESH_MS) {
      page = pages.statusPage(readStatus());
      renderedMs = nowMs;
    }
    return page;
  };
};
