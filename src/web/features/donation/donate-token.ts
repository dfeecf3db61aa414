import type { Donation } from '#shared/contract/donation.ts';
import { postSecret } from './post-secret.ts';
import type { SubmissionAnswer } from './submission-state.ts';
import type { SendSecret } from './use-submission.ts';

const SAVED = 'Token verified and saved. Thank you for helping keep the service alive!';

const texts = {
  proofMissing: 'Complete the Altcha challenge to donate your token.',
  failed: 'Token donation failed.',
  unreachable: 'Unable to submit token right now.',
};

const accept = (body: unknown): SubmissionAnswer => {
  const { receipt } = (body ?? {}) as Partial<Donation>;
  return { kind: 'accepted', message: SAVED, ...(typeof receipt === 'string' && { receipt }) };
};

export const donateToken: SendSecret = ({ secret, proof }, network) =>
  postSecret({ path: '/donate-token', body: { token: secret, proof }, texts, accept }, network);
