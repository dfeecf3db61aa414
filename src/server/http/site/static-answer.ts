import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseBody, matchesEtag, type EncodedBody, type StaticFile } from './static-file.ts';

export type StaticAnswerDeps = {
  /** Sent with every answer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly onAnswered: (request: FastifyRequest, status: number) => void;
  readonly isDraining: () => boolean;
};

export type SendStaticFile = (
  reply: FastifyReply,
  file: StaticFile,
  options?: { readonly status?: number; readonly noIndex?: boolean },
) => void;

const NO_INDEX = ['x-robots-tag', 'noindex'];
const LAST_ANSWER = ['connection', 'close'];

/** Pages and files are written past the framework, with headers that are prepared once for each body. */
export const createSendStaticFile = ({
  headers,
  onAnswered,
  isDraining,
}: StaticAnswerDeps): SendStaticFile => {
  const prepared = new WeakMap<EncodedBody, { readonly unchanged: string[]; readonly whole: string[] }>();

  const prepare = (file: StaticFile, body: EncodedBody, coding: string) => {
    const policy = file.policy !== undefined && { 'content-security-policy': file.policy };
    const always = Object.entries({ ...headers, ...policy }).flat();
    const unchanged = [...always, 'etag', body.etag, 'cache-control', file.cacheControl];
    unchanged.push('vary', 'accept-encoding');
    const whole = [...unchanged, 'content-type', file.contentType, 'content-length', `${body.bytes.length}`];
    if (coding !== 'identity') whole.push('content-encoding', coding);
    prepared.set(body, { unchanged, whole });
    return { unchanged, whole };
  };

  return (reply, file, { status = 200, noIndex = false } = {}) => {
    const { request } = reply;
    const [coding, body] = chooseBody(file, request.headers['accept-encoding']);
    const { unchanged, whole } = prepared.get(body) ?? prepare(file, body, coding);
    const isUnchanged = status === 200 && matchesEtag(request.headers['if-none-match'], body.etag);
    let lines = isUnchanged ? unchanged : whole;
    if (noIndex) lines = [...lines, ...NO_INDEX];
    if (isDraining()) lines = [...lines, ...LAST_ANSWER];
    const sent = isUnchanged ? 304 : status;
    onAnswered(request, sent);
    reply.hijack();
    const isHead = request.method === 'HEAD';
    reply.raw.writeHead(sent, lines).end(isUnchanged || isHead ? undefined : body.bytes);
  };
};
