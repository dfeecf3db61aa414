import type { RESTOptions } from '@discordjs/rest';
import { jsonAnswer, type Answer } from '#sandbox/answer.ts';
import { createBotTokens } from '#sandbox/api/bot-tokens.ts';
import { rateLimited } from '#sandbox/api/platform-errors.ts';
import { createRateLimits } from '#sandbox/api/rate-limits.ts';
import { parseDiscordUser } from '#server/platform/discord-objects.ts';
import { readPlatformAnswer } from '#server/platform/platform-answer.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { LIMIT, type RunScenario, type Scenario } from './capacity-scenario.ts';
import { createSimulatedTime, type SimulatedTime } from './simulated-time.ts';

/** One way, drawn for each, so that requests overtake each other. */
export const SIMULATED_DELAY_MS = { least: 5, most: 40 };
const GLOBAL_PER_SECOND = 50;

const { random } = createFakeSystem();
const drawDelayMs = (): number =>
  SIMULATED_DELAY_MS.least + random.integer(SIMULATED_DELAY_MS.most - SIMULATED_DELAY_MS.least + 1);

const textOf = ({ body }: Answer): string => body.toString();

/** The sandbox's own rate limits behind a network that only takes time. */
const createSimulatedPlatform = ({ clock, wait }: SimulatedTime, { mode, periodMs }: Scenario) => {
  const limits = createRateLimits({ limit: LIMIT, periodMs, mode, globalPerSecond: GLOBAL_PER_SECOND });
  let refused = 0;

  const decide = (id: string, caller: string): Answer => {
    const nowMs = clock.wallMs();
    const global = limits.spendGlobal(caller, nowMs);
    if (!global.allowed) return rateLimited('global', global.retryAfterMs);
    const spend = limits.spendSlot('users/{id}', caller, nowMs);
    const headers = limits.headersOf('users/{id}', spend, nowMs);
    if (!spend.allowed) return rateLimited('user', spend.resetAfterMs, headers);
    const answer = jsonAnswer(200, JSON.stringify({ id, username: 'somebody' }));
    return { ...answer, headers: { ...answer.headers, ...headers } };
  };

  const getUser = async (id: string, caller: string): Promise<Answer> => {
    await wait(drawDelayMs());
    const answer = decide(id, caller);
    if (answer.status === 429) refused += 1;
    await wait(drawDelayMs());
    return answer;
  };
  return { getUser, refused: () => refused };
};

type GetUser = ReturnType<typeof createSimulatedPlatform>['getUser'];

const makeRequestWith =
  (getUser: GetUser): RESTOptions['makeRequest'] =>
  async (url, init) => {
    const caller = new Headers(init.headers as Record<string, string>).get('authorization') ?? '';
    const answer = await getUser(url.slice(url.lastIndexOf('/') + 1), caller);
    return {
      status: answer.status,
      statusText: '',
      ok: answer.status === 200,
      headers: new Headers(answer.headers),
      body: null,
      bodyUsed: false,
      json: async () => JSON.parse(textOf(answer)) as unknown,
      text: async () => textOf(answer),
      arrayBuffer: async () => new ArrayBuffer(0),
    };
  };

/** In simulated time: the clock jumps, so the machine's speed does not matter, whatever the number of tokens. */
export const runSimulated: RunScenario = async (scenario, client) => {
  const time = createSimulatedTime();
  const platform = createSimulatedPlatform(time, scenario);
  const { mint } = createBotTokens('bench');
  const over = new AbortController();
  using _globals = time.replaceGlobals();
  const answered = client({
    tokens: Array.from({ length: scenario.tokens }, (_, n) => mint(n)),
    system: { clock: time.clock, random },
    discordClient: {
      getUser: async (id, token) => {
        const answer = await platform.getUser(id, token.secret.reveal());
        return readPlatformAnswer(
          { status: answer.status, headers: answer.headers, text: textOf(answer) },
          { parse: parseDiscordUser, unknownCode: 10_013 },
        );
      },
      close: async () => {},
    },
    restOptions: { makeRequest: makeRequestWith(platform.getUser) },
    over: over.signal,
  });
  await time.run(scenario.periods * scenario.periodMs);
  const refused = platform.refused();
  over.abort();
  // What waits in a timer of the client comes back only if time goes on.
  await time.run(2 * scenario.periodMs);
  return { answered: await answered, refused };
};
