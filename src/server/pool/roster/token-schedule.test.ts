import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenSchedule } from './token-schedule.ts';

describe('createTokenSchedule', () => {
  it('gives the waiting back in the order of their times, and none before its time', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000), { maxLength: 200 }), fc.nat(1_000), (times, nowMs) => {
        const schedule = createTokenSchedule();
        for (const freeAtMs of times) schedule.pushWaiting({ freeAtMs });
        const due: number[] = [];
        for (let entry = schedule.popDue(nowMs); entry !== undefined; entry = schedule.popDue(nowMs))
          due.push(entry.freeAtMs);
        expect(due).toEqual(times.filter((time) => time <= nowMs).sort((a, b) => a - b));
        const rest = times.filter((time) => time > nowMs);
        expect(schedule.nextDueMs()).toBe(rest.length === 0 ? Infinity : Math.min(...rest));
      }),
    );
  });

  it('serves the ready in turn, however many join and leave, and lets one go first', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('push', 'unshift', 'pop'), { maxLength: 300 }), (steps) => {
        const schedule = createTokenSchedule();
        const model: { freeAtMs: number }[] = [];
        for (const [freeAtMs, step] of steps.entries()) {
          const entry = { freeAtMs };
          if (step === 'push') {
            model.push(entry);
            schedule.pushReady(entry);
          } else if (step === 'unshift') {
            model.unshift(entry);
            schedule.unshiftReady(entry);
          } else expect(schedule.popReady()).toBe(model.shift());
        }
      }),
    );
  });
});
