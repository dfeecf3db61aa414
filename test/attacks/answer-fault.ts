import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { ChallengeSchema } from '#shared/contract/challenge.ts';
import { StatusSchema } from '#shared/contract/status.ts';
import { ERRORS, type ErrorCode } from '#shared/contract/errors.ts';
import { headerOf, type RawAnswer } from './raw-exchange.ts';

const SUCCESSES = [ChallengeSchema, StatusSchema, Type.Object({ openapi: Type.Literal('3.1.1') })];

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** What is refused before it is HTTP has a status of its own and no code of its own. */
const fits = (code: unknown, status: number): boolean =>
  ERRORS[code as ErrorCode]?.status === status ||
  (code === 'bad-request' && [408, 411, 431].includes(status));

const isErrorBody = (body: unknown, status: number): boolean => {
  if (typeof body !== 'object' || body === null) return false;
  const { error, code, retry_after: _, ...rest } = body as Record<string, unknown>;
  const isSentence = typeof error === 'string' && /^[A-Z].*[.!]$/.test(error);
  return isSentence && fits(code, status) && Object.keys(rest).length === 0;
};

const faultOfContent = ({ status, body }: RawAnswer, type: string): string | null => {
  if (type.startsWith('text/html')) return [200, 404].includes(status) ? null : 'a page with this status';
  if (status >= 400) return isErrorBody(parseJson(body), status) ? null : 'not the body of an error';
  if (!type.startsWith('application/json')) return null;
  const content = parseJson(body);
  return SUCCESSES.some((schema) => Value.Check(schema, content)) ? null : 'a success of no known kind';
};

export const faultOfAnswer = (answer: RawAnswer, method: string): string | null => {
  const { status, body } = answer;
  if (status < 200 || status > 499) return `status ${status}`;
  if (headerOf(answer, 'content-security-policy') === undefined) return 'no security headers';
  if (method === 'HEAD' || status === 304) return body === '' ? null : 'a body where none belongs';
  return faultOfContent(answer, headerOf(answer, 'content-type') ?? '');
};
