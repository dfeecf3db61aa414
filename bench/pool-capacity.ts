import type { Benchmark, Figure } from './benchmark.ts';
import { runOverHttp } from './capacity-over-http.ts';
import { capacityOf, type RunScenario, type Scenario } from './capacity-scenario.ts';
import { runSimulated, SIMULATED_DELAY_MS } from './capacity-simulated.ts';
import { discordJsRest, whoflakePool } from './saturating-clients.ts';

const AIM_SHARE = 0.99;
const CLIENTS = { 'Whoflake pool': whoflakePool, '@discordjs/rest': discordJsRest };

const measure = async (
  how: string,
  run: RunScenario,
  settings: Omit<Scenario, 'mode'>,
): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const mode of ['sliding', 'fixed'] as const) {
    for (const [name, client] of Object.entries(CLIENTS)) {
      const scenario = { ...settings, mode };
      const { answered, refused } = await run(scenario, client);
      const share = answered / capacityOf(scenario);
      const isOurs = client === whoflakePool;
      figures.push({
        what: `${settings.tokens.toLocaleString('en')} tokens, ${mode}, ${how}: ${name}`,
        value: `${(share * 100).toFixed(2)} %, ${refused} × 429`,
        spread: `${answered} answers`,
        rounds: 1,
        aim: isOurs ? '≥ 99 %, 0 × 429' : '',
        met: isOurs ? share >= AIM_SHARE && refused === 0 : null,
      });
    }
  }
  return figures;
};

export const poolCapacity: Benchmark = {
  name: 'capacity',
  run: async ({ quick }) => {
    const overHttp = { tokens: 10, periodMs: 3_000, periods: quick ? 4 : 10 };
    const simulated = { periodMs: 30_000, periods: quick ? 2 : 8 };
    const { least, most } = SIMULATED_DELAY_MS;
    return {
      title: 'Answers of a saturated pool, as a share of what its tokens could do at most',
      method: [
        `http: real time, the sandbox in a process of its own, its period scaled from 30 s to 3 s, ${overHttp.periods} periods.`,
        `simulated: the sandbox's rate limits in process, unscaled, on a clock that jumps from timer to timer;`,
        `  ${simulated.periods} periods, every request and answer ${least}–${most} ms under way. The machine's speed plays no part.`,
        'At most: sliding, tokens × 30 × (periods + 1); fixed, tokens × 30 × periods. 429s as the platform counted them.',
        '@discordjs/rest: one instance per token, two requests at a time each, its own defaults.',
      ],
      figures: [
        ...(await measure('http', runOverHttp, overHttp)),
        ...(await measure('simulated', runSimulated, { tokens: 10, ...simulated })),
        ...(await measure('simulated', runSimulated, { tokens: 1_000, ...simulated })),
      ],
    };
  },
};
