import type { ReactNode } from 'react';
import type { Site } from '#shared/site.ts';
import { useEnvironment } from '../environment.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { Section, Step, Steps, TextPage } from '../ui/text-page.tsx';

const TITLE = 'Token Donation';

export const TokenDonationRoute = (): ReactNode => {
  const { site } = useEnvironment();
  return site.tokenDonations ? <TokenDonation site={site} /> : <NoTokenDonation />;
};

const NoTokenDonation = (): ReactNode => (
  <TextPage title={TITLE} lead="This site takes no bot tokens. Please do not send us one.">
    <div>
      <ButtonLink href="/">Back to Lookup</ButtonLink>
    </div>
  </TextPage>
);

type TokenDonationProps = { readonly site: Site };

const TokenDonation = ({ site }: TokenDonationProps): ReactNode => (
  <TextPage
    title={TITLE}
    lead={`Lend ${site.brandName} a bot of your own, made for nothing else, and lookups go on for everybody.`}
  >
    <DonationSteps site={site} />
    <Section title="Why this matters">
      <p>
        {site.platformName} answers questions about users only to bots, and the bots of a public lookup tool
        keep being terminated. When the last one is gone, nobody can look up anything. Donated tokens are our
        reserve: when one bot is lost, the others carry on. They are there so that we can go on, not so that
        we can ask more.
      </p>
    </Section>
    <Section title="Token usage & trust">
      <ul>
        <li>Tokens are only used to fetch user info via the official API.</li>
        <li>No servers are joined, no messages are read or sent.</li>
        <li>
          The token can be revoked at any time: press “Reset Token” on the Bot tab and ours stops working at
          once.
        </li>
      </ul>
    </Section>
    <Section title="What we cannot promise">
      <ul>
        <li>
          {site.platformName} may terminate the application whose token you donate. Its developer terms
          restrict sharing credentials, and it could act against the account that owns the application.
        </li>
        <li>
          Whoever runs this server could, with full access to the machine, read a token while it is in use.
          Donate only one that you can afford to lose.
        </li>
      </ul>
      <p>
        Something is unclear? <a href="/contact">Contact us</a> before you donate.
      </p>
    </Section>
  </TextPage>
);

const DonationSteps = ({ site }: TokenDonationProps): ReactNode => (
  <Steps>
    <Step number={1} title="Create a bot and copy its token">
      <p>
        Create a new application in {site.platformName}’s developer portal, open the Bot tab, reset the token
        and copy it.
      </p>
      <p>
        Use a new application that does nothing else. Do not add it to any server and leave all privileged
        intents off: then its token opens nothing but public profiles.
      </p>
    </Step>
    <Step number={2} title="Submit it here">
      <p>Return to the lookup page and submit it via the Token Donation modal.</p>
      <ButtonLink href="/#donate-token" look="primary">
        Donate a bot token
      </ButtonLink>
    </Step>
  </Steps>
);
