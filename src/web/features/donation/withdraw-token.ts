import { postSecret } from './post-secret.ts';
import type { SubmissionAnswer } from './submission-state.ts';
import type { SendSecret } from './use-submission.ts';

const texts = {
  proofMissing: 'Complete the Altcha challenge to continue.',
  failed: 'Withdrawal failed.',
  unreachable: 'Unable to withdraw the token right now.',
};

/** No bot token begins like this: theirs begins with digits in base 64. */
const RECEIPT = /^WD/i;

const accept = (body: unknown): SubmissionAnswer => {
  const { message } = (body ?? {}) as { message?: unknown };
  // Without the server's word that it is gone, the donor had better try again.
  return typeof message === 'string'
    ? { kind: 'accepted', message }
    : { kind: 'failed', message: texts.failed, reaction: 'try-later' };
};

export const withdrawToken: SendSecret = ({ secret, proof }, network) => {
  const body = RECEIPT.test(secret) ? { receipt: secret, proof } : { token: secret, proof };
  return postSecret({ path: '/withdraw-token', body, texts, accept }, network);
};
