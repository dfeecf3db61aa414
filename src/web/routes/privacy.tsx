import type { ReactNode } from 'react';
import { useEnvironment } from '../environment.ts';
import { Section, TextPage } from '../ui/text-page.tsx';

export const PrivacyRoute = (): ReactNode => {
  const { site } = useEnvironment();
  return (
    <TextPage
      title="Privacy"
      lead={`${site.brandName} shows what ${site.platformName} shows to everybody, and keeps nothing about who asked.`}
    >
      <Section title="When you look somebody up">
        <p>
          Nothing is written down: not the ID, not the answer, not your address. An answer stays in memory for
          at most ten minutes, so that the next visitor gets it sooner. There are no accounts, no cookies and
          no counters of other companies. Your browser remembers the theme you chose, and that stays in your
          browser.
        </p>
        <p>
          To keep one visitor from taking everything, requests are counted per network address. The addresses
          are hashed with a key that changes every day, they stay in memory for at most a day, and they are
          never logged.
        </p>
        <p>
          When a profile is found, its ID is put into the address of the page, so that you can share the link
          or come back to it. Like every page you visit, it then stays in your browser’s own history until you
          clear it.
        </p>
        <p>
          Pictures come straight from {site.platformName}'s own image servers, which see your address like
          those of any site you visit.
        </p>
      </Section>
      <Section title="What is kept">
        <ul>
          {site.tokenDonations && (
            <li>
              Donated bot tokens, encrypted, until they are withdrawn or stop working. How:{' '}
              <a href="/token-donation">token donations</a>.
            </li>
          )}
          <li>
            Vanity links, with a note of the donation they go back to if the donor gave one, until they are
            removed. The note is never public.
          </li>
          <li>The list of those who asked not to be shown, as digests that cannot be read back.</li>
          <li>Counts of lookups and errors, without anything about whom they concern.</li>
        </ul>
      </Section>
      <Section title="Not to be shown here">
        <p>
          If you do not want your profile to be found with this site, <a href="/contact">write to us</a> with
          your {site.platformName} ID. We will ask you to show that the account is yours. From then on your ID
          is answered like one that nobody has, and {site.platformName} is not asked about it. You can change
          your mind at any time.
        </p>
        <p>
          The ID itself still tells when the account was made: that is part of the number, and anybody can
          work it out without us.
        </p>
      </Section>
    </TextPage>
  );
};
