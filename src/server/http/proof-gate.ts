import type { FastifyRequest } from 'fastify';
import type { Admission } from '#server/admission/admission.ts';
import type { Ticket } from '#server/pool/ticket.ts';
import type { VisitorAction } from '#server/visitors/visitor-limits.ts';
import type { Challenge } from '#shared/contract/challenge.ts';

/** The admission, asked about the address that a request is counted against. */
export type ProofGate = {
  readonly issueChallenge: (request: FastifyRequest) => Promise<Challenge>;
  readonly passProof: (request: FastifyRequest, action: VisitorAction, proof: string) => Promise<Ticket>;
};

export const createProofGate = (
  { issueChallenge, admit }: Admission,
  addressOf: (request: FastifyRequest) => string,
): ProofGate => ({
  issueChallenge: (request) => issueChallenge(addressOf(request)),
  passProof: (request, action, proof) => admit(action, addressOf(request), proof),
});
