import { createSecretKey } from 'node:crypto';
import type { System } from '#server/system.ts';
import {
  mostAheadMs,
  proofDigest,
  ROUNDING_MS,
  spanOf,
  stepMs,
  type AdmissionStore,
  type Counter,
  type LimitDecision,
  type SigningKey,
} from './admission-store.ts';

type MemoryAdmissionStoreOptions = {
  readonly system: System;
  readonly slots?: number;
  readonly capacity?: number;
};

type Charge = { readonly slot: number; readonly tag: number; readonly untilMs: readonly number[] };

type Page = SigningKey & { readonly spent: Set<string> };

const DEFAULT_SLOTS = 2 ** 17;
const ROW = 16;
/** About 27 MB of ids, or 800 proofs a second that live 300 s each. */
const DEFAULT_CAPACITY = 500_000;
const SPANS_KEPT = 1;
const SPANS_AHEAD = 62;

export const createMemoryAdmissionStore = (options: MemoryAdmissionStoreOptions): AdmissionStore => {
  const { system, slots = DEFAULT_SLOTS, capacity = DEFAULT_CAPACITY } = options;
  const { clock, random } = system;
  const counters = createCounters(clock.monotonicMs, slots);
  const pages = new Map<number, Page>();

  const addPage = (span: number): Page => {
    const now = spanOf(clock.wallMs());
    for (const old of pages.keys()) if (old < now - SPANS_KEPT || old > now + SPANS_AHEAD) pages.delete(old);
    const id = random.bytes(8).toString('hex');
    const page = { id, secret: createSecretKey(random.bytes(32)), spent: new Set<string>() };
    pages.set(span, page);
    return page;
  };
  const spentCount = (): number => {
    let count = 0;
    for (const { spent } of pages.values()) count += spent.size;
    return count;
  };
  const pageWith = (keyId: string): Page | undefined => {
    for (const page of pages.values()) if (page.id === keyId) return page;
    return undefined;
  };

  return {
    issuingKey: (expiresAtMs) => pages.get(spanOf(expiresAtMs)) ?? addPage(spanOf(expiresAtMs)),
    keyOf: (expiresAtMs) => pages.get(spanOf(expiresAtMs)),
    count: counters.take,
    redeem: (counted, proof) => {
      const page = pageWith(proof.keyId);
      if (page === undefined) return 'invalid';
      // A one-byte string is half the size of the same digest in hex.
      const digest = Buffer.from(proofDigest(proof), 'hex').toString('latin1');
      if (page.spent.has(digest)) return 'used';
      if (spentCount() >= capacity) return 'unavailable';
      const decision = counters.take(counted);
      if (!decision.allowed) return decision;
      page.spent.add(digest);
      return 'accepted';
    },
    knownWaitMs: (counted) => {
      const [decision] = counters.assess(counted);
      return decision.allowed ? 0 : decision.retryAfterMs;
    },
  };
};

/** Never charges a key for another: a flood pushes out who owes least, so limits get looser and never stricter. */
const createCounters = (monotonicMs: () => number, slots: number) => {
  const tags = new Float64Array(slots);
  const paidOffMs = [new Float64Array(slots), new Float64Array(slots)] as const;
  const rows = slots / ROW;
  const owedUntil = (slot: number): number => Math.max(paidOffMs[0][slot] ?? 0, paidOffMs[1][slot] ?? 0);

  const findSlot = (tag: number, row: number): number => {
    const first = row * ROW;
    let least = first;
    for (let slot = first; slot < first + ROW; slot += 1) {
      if (tags[slot] === tag) return slot;
      if (owedUntil(slot) < owedUntil(least)) least = slot;
    }
    return least;
  };

  const assess = (counted: readonly Counter[]): [LimitDecision, Charge[]] => {
    const nowMs = monotonicMs();
    const charges: Charge[] = [];
    let retryAfterMs = 0;
    let pressure = 0;
    for (const { key, allowances } of counted) {
      const tag = Number.parseInt(key.slice(8, 20), 16);
      const slot = findSlot(tag, Number.parseInt(key.slice(0, 8), 16) % rows);
      const isOwn = tags[slot] === tag;
      const untilMs = [0, 0];
      for (const [n, allowance] of allowances.entries()) {
        const owedMs = isOwn ? (paidOffMs[n as 0 | 1][slot] ?? 0) : 0;
        const paidMs = Math.max(nowMs, owedMs) + stepMs(allowance);
        const mostMs = mostAheadMs(allowance);
        retryAfterMs = Math.max(retryAfterMs, paidMs - nowMs - mostMs);
        pressure = Math.max(pressure, (paidMs - nowMs) / mostMs);
        untilMs[n] = paidMs;
      }
      charges.push({ slot, tag, untilMs });
    }
    if (retryAfterMs > ROUNDING_MS) return [{ allowed: false, retryAfterMs }, []];
    return [{ allowed: true, pressure: Math.min(1, pressure) }, charges];
  };

  const take = (counted: readonly Counter[]): LimitDecision => {
    const [decision, charges] = assess(counted);
    for (const { slot, tag, untilMs } of charges) {
      tags[slot] = tag;
      for (const n of [0, 1] as const) paidOffMs[n][slot] = untilMs[n] ?? 0;
    }
    return decision;
  };
  return { assess, take };
};
