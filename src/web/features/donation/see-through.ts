import type { Send } from '../../proved-request.ts';
import type { Accepted } from './secret-form.tsx';

/** What the server may have stored by now is never given up: who leaves its form still gets the answer. */
export const seeThrough =
  (send: Send<Accepted>, onLate?: (accepted: Accepted) => void): Send<Accepted> =>
  async (proved, network) => {
    const asking = new AbortController();
    // With the page the answer would be lost.
    addEventListener('beforeunload', (event) => event.preventDefault(), { signal: asking.signal });
    const answer = await send(proved, { ...network, signal: asking.signal });
    asking.abort();
    if (network.signal.aborted && answer.kind === 'accepted') onLate?.({ ...answer, late: true });
    return answer;
  };
