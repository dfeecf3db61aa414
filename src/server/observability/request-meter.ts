import { createDurationHistogram, type DurationHistogram } from './duration-histogram.ts';

/** Answers of the public listener by route, whoever asked and whatever for. */
export type RequestMeter = {
  /** `route` is the pattern that was registered, never the path that was asked for; undefined if there is none. */
  readonly answered: (route: string | undefined, status: number, tookMs: number) => void;
  readonly routes: ReadonlyMap<string, RouteFigures>;
};

export type RouteFigures = {
  readonly statuses: Map<number, number>;
  readonly durations: DurationHistogram;
};

const NO_ROUTE = 'unknown';

export const createRequestMeter = (): RequestMeter => {
  const byLabel = new Map<string, RouteFigures>();
  const byRoute = new Map<string | undefined, RouteFigures>();

  const figuresOf = (route: string | undefined): RouteFigures => {
    const label = labelOf(route);
    const figures = byLabel.get(label) ?? { statuses: new Map(), durations: createDurationHistogram() };
    byLabel.set(label, figures);
    byRoute.set(route, figures);
    return figures;
  };

  return {
    answered: (route, status, tookMs) => {
      const { statuses, durations } = byRoute.get(route) ?? figuresOf(route);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      durations.observe(tookMs);
    },
    routes: byLabel,
  };
};

/** Files are routes of their own, with names that change from build to build, so each folder counts as one. */
const labelOf = (route = NO_ROUTE): string => route.replace(/^(\/[^/]+\/).+$/, '$1*');
