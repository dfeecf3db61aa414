import type { RunCommand } from '../command.ts';
import { httpGet } from '../http-get.ts';
import { failed } from '../failure.ts';
import { urlOf } from '../running-server.ts';

const PATIENCE_MS = 3_000;

/** Asks the server alone: a container is not restarted because of its database. */
export const healthcheck: RunCommand = async ({ config }) => {
  const url = `${urlOf(config.listen)}/healthz`;
  const answer = await httpGet(url, PATIENCE_MS);
  if (typeof answer === 'string') throw failed(`${url} does not answer (${answer}).`);
  if (answer.status !== 200) throw failed(`${url} answers with status ${answer.status}.`);
  return { lines: [`${url} answers.`] };
};
