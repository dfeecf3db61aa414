import type { Config, PlatformUrls } from '#server/config.ts';
import type { SampleProfile } from '#sandbox/profiles/sample-profiles.ts';
import { SAMPLE_PICTURE_PATH } from '#shared/paths.ts';
import type { SampleId } from '#shared/site.ts';
import { parseBotToken, type BotToken } from './bot-token.ts';

export type StartedPlatform = {
  readonly urls: PlatformUrls;
  readonly sampleIds: readonly SampleId[];
  readonly tokens: readonly BotToken[];
  readonly tokenToDonate: string | null;
  readonly stop: () => Promise<void>;
};

const SANDBOX_TOKENS = 3;

const toSampleId = ({ avatar, ...sample }: SampleProfile, baseUrl: string): SampleId => ({
  ...sample,
  ...(avatar && { avatarUrl: `${baseUrl}/avatars/${sample.id}/${avatar}.png?size=64` }),
});

/** The only place that tells the sandbox from the real platform: from here on both are addresses. */
export const startPlatform = async ({ platform, pictures }: Config): Promise<StartedPlatform> => {
  const nothing = { sampleIds: [], tokens: [], tokenToDonate: null, stop: async () => {} };
  if (platform.kind === 'discord') return { ...nothing, urls: platform.urls };
  const { SAMPLE_PROFILES } = await import('#sandbox/profiles/sample-profiles.ts');
  const samplesAt = ({ cdnUrl }: PlatformUrls) => {
    const baseUrl = pictures === 'relayed' ? SAMPLE_PICTURE_PATH : cdnUrl;
    return SAMPLE_PROFILES.map((sample) => toSampleId(sample, baseUrl));
  };
  if (platform.urls !== null) return { ...nothing, urls: platform.urls, sampleIds: samplesAt(platform.urls) };
  const { createSandbox } = await import('#sandbox/sandbox.ts');
  const sandbox = createSandbox();
  const urls = await sandbox.listen();
  const tokens = Array.from({ length: SANDBOX_TOKENS }, (_, n) => parseBotToken(sandbox.mintToken(n)));
  return {
    urls,
    sampleIds: samplesAt(urls),
    tokens: tokens.flatMap((parsed) => (parsed.ok ? [parsed.token] : [])),
    tokenToDonate: sandbox.mintToken(SANDBOX_TOKENS),
    stop: sandbox.close,
  };
};
