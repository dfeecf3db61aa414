/** The caller asked the sandbox for something that makes no sense. The message is for them. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
