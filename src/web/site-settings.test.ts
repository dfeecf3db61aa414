import { describe, expect, it } from 'vitest';
import type { Site } from '#shared/site.ts';
import { serializeSite } from './site-settings.ts';

describe('the site settings in the page', () => {
  it('survive the trip and cannot close their script element', () => {
    const site: Site = {
      brandName: '</script><script>alert(1)</script><!--',
      platformName: 'Discord',
      publicUrl: 'http://localhost:8080',
      sandbox: true,
      contact: [{ text: 'he', decoy: false }],
      developerPortalUrl: 'https://bots.example/',
      paymentUrl: 'https://pay.example/',
      vanityMinEur: 18,
      tokenDonations: true,
      offlinePage: true,
      sampleIds: [{ id: '1', label: '<b>' }],
    };
    const json = serializeSite(site);
    expect(json).not.toContain('<');
    expect(JSON.parse(json)).toEqual(site);
  });
});
