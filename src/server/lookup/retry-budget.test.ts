import { describe, expect, it } from 'vitest';
import { createRetryBudget } from './fetch-user.ts';

describe('createRetryBudget', () => {
  it('allows a tenth of the lookups, and one a second in any case', () => {
    const budget = createRetryBudget();
    for (let n = 0; n < 50; n += 1) budget.deposit();
    const retries = Array.from({ length: 20 }, () => budget.withdraw(0)).filter(Boolean).length;
    expect(retries).toBeLessThanOrEqual(6);
    expect(retries).toBeGreaterThanOrEqual(5);
    expect([budget.withdraw(999), budget.withdraw(1_000), budget.withdraw(1_001)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('does not save up for long', () => {
    const budget = createRetryBudget();
    for (let n = 0; n < 10_000; n += 1) budget.deposit();
    expect(Array.from({ length: 100 }, () => budget.withdraw(0)).filter(Boolean).length).toBeLessThanOrEqual(
      11,
    );
  });
});
