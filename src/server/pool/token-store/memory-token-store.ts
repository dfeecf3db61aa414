import type { CancelTimer, Clock } from '#server/system.ts';
import { NO_SUSPICION, type Suspicion } from '../rules/suspicion.ts';
import { createTokenPlaces, type TokenEntry } from './token-places.ts';
import type { OpenTokenStore, SuspicionChange, TakenToken, TokenStore } from './token-store.ts';

/** The tokens of a process that is alone. */
export const openMemoryTokenStore =
  (clock: Clock): OpenTokenStore =>
  (onChange) => {
    const places = createTokenPlaces(clock);
    let suspicion: Suspicion = NO_SUSPICION;
    let isChecking = false;
    let cancelWake: CancelTimer = () => {};

    const taken = ({ id, record }: TokenEntry): TakenToken => ({
      id,
      record,
      takenMs: clock.monotonicMs(),
      lock: '',
      epoch: '',
    });

    /** While an answer that may free a token sooner is waited for, nobody else watches the clock. */
    const wakeWhenFree = (entry: TokenEntry | undefined): void => {
      cancelWake();
      if (entry !== undefined && places.isAnyAway())
        cancelWake = clock.after(entry.atMs - clock.monotonicMs(), onChange);
    };

    const put: TokenStore['put'] = async ({ id, old, next, freeAtMs, because }) => {
      const entry = places.get(id);
      if (entry === undefined || (entry.place === 'suspect' && because === 'send')) return { kind: 'gone' };
      if (entry.record !== old) return { kind: 'changed', record: entry.record };
      entry.record = next;
      if (entry.place === 'suspect') return { kind: 'put', isNewSuspect: false };
      if (because === 'suspect') {
        places.setAside(entry);
        return { kind: 'put', isNewSuspect: true };
      }
      // Free, and in its turn or just taken: an answer does not change that.
      const nowMs = clock.monotonicMs();
      const keepsTurn = entry.place === 'taken' || (entry.place === 'usable' && entry.atMs <= nowMs);
      if (because === 'send' || freeAtMs > nowMs || !keepsTurn) places.place(entry, freeAtMs);
      return { kind: 'put', isNewSuspect: false };
    };

    /** True if it was about a suspect, and that was still there. */
    const apply = (effect: SuspicionChange['effect']): boolean => {
      if (effect.kind === 'suspect-all') places.setAllAside();
      if (!('id' in effect)) return false;
      isChecking = false;
      const entry = places.get(effect.id);
      if (entry?.place !== 'suspect') return false;
      if (effect.kind === 'alive') places.place(entry, effect.freeAtMs);
      else if (effect.kind === 'unclear') places.setAside(entry);
      else places.remove(entry);
      return true;
    };

    return {
      nowMs: clock.monotonicMs,
      add: (id) => {
        if (places.get(id) !== undefined) return;
        places.add(id);
        onChange();
      },
      remove: async (id) => {
        const entry = places.get(id);
        if (entry !== undefined) places.remove(entry);
      },
      take: async () => {
        const first = places.first();
        if (first === undefined || first.atMs > clock.monotonicMs()) {
          wakeWhenFree(first);
          return null;
        }
        places.take(first);
        return taken(first);
      },
      giveBack: async ({ id }, freeAtMs) => {
        const entry = places.get(id);
        if (entry?.place !== 'taken') return;
        places.place(entry, freeAtMs);
        onChange();
      },
      put,
      takeSuspect: async () => {
        const next = places.firstSuspect();
        if (next === undefined || isChecking || suspicion.nextMs > clock.monotonicMs()) return null;
        isChecking = true;
        return taken(next);
      },
      giveBackSuspect: async () => {
        isChecking = false;
      },
      changeSuspicion: async ({ old, next, nextIfNone, effect }) => {
        if (suspicion !== old) return { changed: suspicion };
        const wasSuspect = apply(effect);
        suspicion = places.size().suspects === 0 ? nextIfNone : next;
        onChange();
        return { wasSuspect };
      },
      freeAtMs: () => {
        const atMs = places.first()?.atMs ?? Infinity;
        return places.isAnyAway() && atMs > clock.monotonicMs() ? Infinity : atMs;
      },
      suspectAtMs: () => (places.size().suspects === 0 || isChecking ? Infinity : suspicion.nextMs),
      counts: places.counts,
      states: async () => places.states(),
      size: places.size,
    };
  };
