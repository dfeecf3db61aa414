import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const sendPng: RequestListener = (_request, response) =>
  void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);

/** A CDN that answers as it is told, for all tests of a file. */
export const useImageServer = async () => {
  const asked: IncomingMessage[] = [];
  const state: { answer: RequestListener } = { answer: sendPng };
  const server = createServer((request, response) => {
    asked.push(request);
    state.answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, answerWith: (answer: RequestListener) => void (state.answer = answer) };
};
