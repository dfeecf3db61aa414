import { Agent, request } from 'node:http';
import type { TestApp } from '#test/support/test-app.ts';

type VisitorAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
};

type VisitOptions = { readonly id: string; readonly proof: string; readonly agent?: Agent };

/** A lookup over a real connection; its answer rejects if the connection ends before it is complete. */
export const visit = (origin: string, { id, proof, agent }: VisitOptions) => {
  const outgoing = request(`${origin}/lookup`, {
    method: 'POST',
    agent: agent ?? new Agent({ keepAlive: false }),
    headers: { 'content-type': 'application/json' },
  });
  const answer = new Promise<VisitorAnswer>((resolve, reject) => {
    outgoing.once('error', reject).once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject).once('end', () => {
        const body = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      });
    });
  });
  // A visitor who leaves does not look at the answer any more.
  answer.catch(() => {});
  outgoing.end(JSON.stringify({ discord_id: id, proof }));
  return { answer, leave: (): void => void outgoing.destroy() };
};

export const listenPublicly = ({ app }: TestApp): Promise<string> =>
  app.server.listen({ port: 0, host: '127.0.0.1' });
