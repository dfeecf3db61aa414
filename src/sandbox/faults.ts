import type { RouteName } from './api-routes.ts';
import { CHAOS_MENU, FAULT_NAMES, FAULT_RULES, type FaultName, type FaultValues } from './fault-rules.ts';
import type { Answer } from './answer.ts';
import type { Draws } from './seeded-draws.ts';

/** Which requests a fault hits; all of them when nothing is said. */
export type FaultScope = {
  /** 0..1, drawn per request. */
  readonly share?: number;
  /** Only so many requests, then the fault is spent. */
  readonly count?: number;
  readonly token?: string;
  readonly route?: RouteName;
};

export type FaultSettings = {
  readonly [N in FaultName]?: FaultValues[N] | (FaultScope & { readonly value: FaultValues[N] }) | false;
};

type ActiveFault = {
  readonly name: FaultName;
  readonly value: unknown;
  readonly scope: FaultScope;
  left: number;
};
type Hit = { readonly name: FaultName; readonly value: unknown };

export type FaultPlan = {
  readonly delayMs: number;
  readonly apply: (answer: Answer) => Answer;
};

export type Faults = {
  /** Adds to what is set; `false` takes one off. Throws a TypeError that names what it does not understand. */
  readonly set: (settings: FaultSettings) => void;
  readonly clear: () => void;
  readonly current: () => FaultSettings;
  /** What is to go wrong with this request. */
  readonly plan: (request: { token: string | undefined; route: RouteName }) => FaultPlan;
};

const NO_FAULT: FaultPlan = { delayMs: 0, apply: (answer) => answer };

const isScoped = (setting: unknown): setting is FaultScope & { value: unknown } =>
  typeof setting === 'object' && setting !== null && 'value' in setting;

const activate = (name: FaultName, setting: unknown): ActiveFault => {
  const { value, ...scope } = isScoped(setting) ? setting : { value: setting };
  if (!FAULT_RULES[name].accepts(value))
    throw new TypeError(`The fault "${name}" does not take ${JSON.stringify(value)}.`);
  return { name, value, scope, left: scope.count ?? Infinity };
};

export const createFaults = (draws: Draws, now: () => number): Faults => {
  let active: readonly ActiveFault[] = [];

  const hits = (fault: ActiveFault, request: { token: string | undefined; route: RouteName }): boolean => {
    const { share = 1, token, route } = fault.scope;
    if (
      fault.left <= 0 ||
      (token ?? request.token) !== request.token ||
      (route ?? request.route) !== request.route
    )
      return false;
    if (share < 1 && !draws.chance(share)) return false;
    fault.left -= 1;
    return true;
  };

  const chaosHit = (share: unknown): Hit[] =>
    typeof share === 'number' && draws.chance(share) ? [draws.pick(CHAOS_MENU)] : [];

  const numberOf = (chosen: readonly Hit[], name: FaultName): number => {
    const value = chosen.find((hit) => hit.name === name)?.value;
    return typeof value === 'number' ? value : 0;
  };

  return {
    set: (settings) => {
      const next = new Map<string, ActiveFault>(active.map((fault) => [fault.name, fault]));
      for (const [name, setting] of Object.entries(settings)) {
        if (!Object.hasOwn(FAULT_RULES, name)) throw new TypeError(`There is no fault "${name}".`);
        if (setting === false) next.delete(name);
        else next.set(name, activate(name as FaultName, setting));
      }
      active = FAULT_NAMES.flatMap((name) => next.get(name) ?? []);
    },
    clear: () => {
      active = [];
    },
    current: () => Object.fromEntries(active.map(({ name, value, scope }) => [name, { value, ...scope }])),
    plan: (request) => {
      if (active.length === 0) return NO_FAULT;
      const chosen = active
        .filter((fault) => hits(fault, request))
        .flatMap((hit): Hit[] => (hit.name === 'chaos' ? chaosHit(hit.value) : [hit]));
      return {
        delayMs: numberOf(chosen, 'latencyMs') + draws.unit() * numberOf(chosen, 'jitterMs'),
        apply: (answer) =>
          chosen.reduce(
            (spoilt, { name, value }) => FAULT_RULES[name].apply(spoilt, value, { nowMs: now(), draws }),
            answer,
          ),
      };
    },
  };
};
