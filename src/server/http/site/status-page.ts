import type { Clock } from '#server/system.ts';
import type { Status } from '#shared/contract/status.ts';
import type { StaticFile } from './static-file.ts';
import type { WebBuild } from './web-build.ts';

export type StatusPageDeps = {
  readonly web: Pick<WebBuild, 'statusPage'>;
  readonly readStatus: () => Status;
  readonly clock: Clock;
};

/** However many ask, the page is rendered once in this time. */
const FRESH_MS = 1_000;

/** The page with the figures of this moment, for browsers without scripts and for the first glance of all others. */
export const createStatusPage = ({ web, readStatus, clock }: StatusPageDeps): (() => StaticFile) => {
  let page: StaticFile | undefined;
  let renderedMs = 0;
  return () => {
    const nowMs = clock.monotonicMs();
    if (page === undefined || nowMs - renderedMs >= FRESH_MS) {
      page = web.statusPage(readStatus());
      renderedMs = nowMs;
    }
    return page;
  };
};
