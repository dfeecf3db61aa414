import { STATEMENT_MS } from '#server/deadlines.ts';
import type { MessagePool, Row } from '#server/storage/postgres/message-pool.ts';

type Job = {
  readonly text: () => string;
  readonly resolve: (row: Row) => void;
  readonly reject: (error: unknown) => void;
};

const MOST_AT_ONCE = 100;
/** `begin`, the limit, the statement, `commit`. */
const RESULTS_EACH = 4;

/** One message for all that wait for a connection: a round trip costs more than most statements. */
export const createStatementBatch = (pool: MessagePool, connections: number) => {
  const waiting: Job[] = [];
  let busy = 0;

  const sendAll = async (jobs: readonly Job[]): Promise<void> => {
    try {
      const texts = jobs.map(
        ({ text }) => `begin; set local statement_timeout = ${STATEMENT_MS}; ${text()}; commit`,
      );
      const results = await pool.send(texts.join('; '));
      for (const [n, { resolve }] of jobs.entries()) resolve(results[RESULTS_EACH * n + 2]?.[0] ?? {});
    } catch (error) {
      for (const { reject } of jobs) reject(error);
    }
  };
  const serve = (): void => {
    if (busy >= connections || waiting.length === 0) return;
    busy += 1;
    void sendAll(waiting.splice(0, MOST_AT_ONCE)).finally(() => {
      busy -= 1;
      serve();
    });
  };

  /** `text` is asked for when the statement leaves. */
  return (text: () => string): Promise<Row> =>
    new Promise((resolve, reject) => {
      waiting.push({ text, resolve, reject });
      serve();
    });
};
