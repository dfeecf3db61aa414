import { isRecord } from '#shared/json.ts';
import type { Answer } from '../answer.ts';
import type { RouteName } from '../api/destination.ts';
import type { Draws } from '../profiles/seeded-draws.ts';
import { UsageError } from '../usage-error.ts';
import { FAULT_RULES, type FaultName, type FaultRule, type FaultValue } from './fault-rules.ts';

type FaultScope = {
  /** 0..1, drawn per request. */
  readonly share?: number;
  readonly count?: number;
  readonly token?: string;
  readonly route?: RouteName;
};

export type FaultSettings = {
  readonly [N in FaultName]?: FaultValue<N> | (FaultScope & { readonly value: FaultValue<N> }) | false;
};

type Hit = { readonly name: FaultName; readonly value: unknown; readonly sinceMs: number };
type ActiveFault = Hit & { readonly scope: FaultScope; left: number };
type FaultyRequest = { readonly token: string; readonly route: RouteName };

export type Faults = ReturnType<typeof createFaults>;

/** Only the rule itself knows the type of the values it accepts. */
const ruleOf = (name: FaultName) => FAULT_RULES[name] as FaultRule<unknown>;

const FAULT_NAMES = Object.keys(FAULT_RULES) as FaultName[];
const CHAOS_MENU = FAULT_NAMES.flatMap((name) => ruleOf(name).chaos.map((value) => ({ name, value })));

const isScoped = (setting: unknown): setting is FaultScope & { value: unknown } =>
  isRecord(setting) && 'value' in setting;

const activate = (name: FaultName, setting: unknown, sinceMs: number): ActiveFault => {
  const { value, ...scope } = isScoped(setting) ? setting : { value: setting };
  return { name, value, sinceMs, scope, left: scope.count ?? Infinity };
};

export const createFaults = (draws: Draws, now: () => number) => {
  let active: readonly ActiveFault[] = [];

  const hits = (fault: ActiveFault, request: FaultyRequest): boolean => {
    const { share = 1, token = request.token, route = request.route } = fault.scope;
    if (fault.left <= 0 || token !== request.token || route !== request.route) return false;
    if (share < 1 && !draws.chance(share)) return false;
    fault.left -= 1;
    return true;
  };

  const chaosHit = ({ value, sinceMs }: Hit): Hit[] =>
    draws.chance(Number(value)) ? [{ ...draws.pick(CHAOS_MENU), sinceMs }] : [];

  const numberOf = (chosen: readonly Hit[], name: FaultName): number =>
    Number(chosen.find((hit) => hit.name === name)?.value ?? 0);

  return {
    set: (settings: FaultSettings): void => {
      const next = new Map<string, ActiveFault>(active.map((fault) => [fault.name, fault]));
      for (const [name, setting] of Object.entries(settings)) {
        if (!Object.hasOwn(FAULT_RULES, name)) throw new UsageError(`There is no fault "${name}".`);
        if (setting === false) next.delete(name);
        else next.set(name, activate(name as FaultName, setting, now()));
      }
      active = FAULT_NAMES.flatMap((name) => next.get(name) ?? []);
    },
    clear: (): void => {
      active = [];
    },
    current: (): FaultSettings =>
      Object.fromEntries(active.map(({ name, value, scope }) => [name, { value, ...scope }])),
    plan: (request: FaultyRequest) => {
      const chosen = active
        .filter((fault) => hits(fault, request))
        .flatMap((hit): Hit[] => (hit.name === 'chaos' ? chaosHit(hit) : [hit]));
      return {
        delayMs: numberOf(chosen, 'latencyMs') + draws.unit() * numberOf(chosen, 'jitterMs'),
        apply: (answer: Answer) =>
          chosen.reduce(
            (faulty, { name, value, sinceMs }) =>
              ruleOf(name).apply(faulty, value, { nowMs: now(), sinceMs }),
            answer,
          ),
      };
    },
  };
};
