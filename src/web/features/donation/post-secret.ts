import { readJson, toServerFailure } from '../../server-failure.ts';
import type { SubmissionAnswer } from './submission-state.ts';
import type { SubmissionNetwork } from './use-submission.ts';

type SecretPost = {
  readonly path: string;
  readonly body: { readonly proof: string } & Readonly<Record<string, string>>;
  /** What to say when nobody else says it. */
  readonly texts: {
    readonly proofMissing: string;
    readonly failed: string;
    readonly unreachable: string;
  };
  readonly accept: (body: unknown) => SubmissionAnswer;
};

export const postSecret = async (
  { path, body, texts, accept }: SecretPost,
  { fetch, signal }: SubmissionNetwork,
): Promise<SubmissionAnswer> => {
  if (body.proof === '') return { kind: 'failed', message: texts.proofMissing, reaction: 'solve-again' };
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
    const answer = await readJson(response);
    return response.ok ? accept(answer) : { kind: 'failed', ...toServerFailure(answer, texts.failed) };
  } catch {
    // What a failed network says might quote the request.
    return { kind: 'failed', message: texts.unreachable, reaction: 'try-later' };
  }
};
