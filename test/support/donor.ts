import type { TestApp } from './test-app.ts';

export type DonorAnswer = { readonly status: number; readonly body: Readonly<Record<string, string>> };

export const postAsDonor = async (
  test: TestApp,
  url: '/donate-token' | '/withdraw-token',
  { from, ...body }: Record<string, unknown> & { readonly from?: string },
): Promise<DonorAnswer> => {
  const response = await test.settle(
    test.app.server.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      ...(from !== undefined && { remoteAddress: from }),
      payload: JSON.stringify({ proof: await test.proof(), ...body }),
    }),
  );
  return { status: response.statusCode, body: response.json() };
};

let donors = 0;
/** Another visitor in another /24 each time, so that the limits on one do not count. */
const fromAnywhere = (): string => {
  donors += 1;
  return `${100 + (donors >> 16)}.${(donors >> 8) & 255}.${donors & 255}.1`;
};

export const donate = (test: TestApp, token: unknown): Promise<DonorAnswer> =>
  postAsDonor(test, '/donate-token', { token, from: fromAnywhere() });

export const withdraw = (test: TestApp, body: Record<string, unknown>): Promise<DonorAnswer> =>
  postAsDonor(test, '/withdraw-token', { ...body, from: fromAnywhere() });
