import type { IncomingMessage, RequestListener } from 'node:http';
import { afterAll } from 'vitest';
import { startHttpServer } from '#test/support/http-server.ts';

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const FORMS = ['png', 'webp', 'gif'].flatMap((type) =>
  [64, 128, 256, 512, 1024, 2048, 4096].flatMap((size) =>
    ['', '&animated=true', '&passthrough=true'].map((more) => `.${type}?size=${size}${more}`),
  ),
);
/** The same picture in another form and size. */
export const inForm = (url: string, n: number): string =>
  url.replace(/\.\w+(?:\?.*)?$/, FORMS[n % FORMS.length] ?? '');

export const sendPng: RequestListener = (_request, response) =>
  void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);

/** A CDN that answers as it is told, for all tests of a file. */
export const useImageServer = async () => {
  const asked: IncomingMessage[] = [];
  const state: { answer: RequestListener } = { answer: sendPng };
  const server = await startHttpServer((request, response) => {
    asked.push(request);
    state.answer(request, response);
  });
  afterAll(() => server[Symbol.asyncDispose]());
  return { url: server.url, asked, answerWith: (answer: RequestListener) => void (state.answer = answer) };
};
