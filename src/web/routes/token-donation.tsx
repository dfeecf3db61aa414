import type { ReactNode } from 'react';
import type { Site } from '#shared/site.ts';
import { useEnvironment } from '../environment.ts';
import { CaptchaDialog } from '../features/captcha/captcha-dialog.tsx';
import { preloadAltcha } from '../features/captcha/load-altcha.ts';
import type { Accepted } from '../features/donation/secret-form.tsx';
import { WithdrawalForm } from '../features/donation/withdrawal-form.tsx';
import { useProvedRequest } from '../proved-request.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Section, Step, TextPage } from '../ui/text-page.tsx';
import styles from '../ui/text-page.module.css';

const TITLE = 'Token Donation';

export const TokenDonationRoute = (): ReactNode => {
  const { site } = useEnvironment();
  return site.tokenDonations ? <TokenDonation site={site} /> : <NoTokenDonation />;
};

const NoTokenDonation = (): ReactNode => (
  <TextPage title={TITLE} lead="This site takes no bot tokens. Please do not send us one.">
    <p>If you lent us one earlier, you can still take it back.</p>
    <Leaving />
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
      <p>
        How many there are, and whether more are needed now, is on the <a href="/status">status page</a>.
      </p>
    </Section>
    <Trust site={site} />
    <Keeping />
    <Leaving />
    <NoPromises site={site} />
  </TextPage>
);

const DonationSteps = ({ site }: TokenDonationProps): ReactNode => (
  <ol className={styles.steps}>
    <Step number={1} title="Create a bot and copy its token">
      <p>
        Create a new application in {site.platformName}’s developer portal, open the Bot tab, reset the token
        and copy it.
      </p>
      <p>
        Use a new application that does nothing else: {site.platformName} may terminate it. Do not add it to
        any server and leave all privileged intents off: then its token opens nothing but public profiles.
      </p>
    </Step>
    <Step number={2} title="Submit it here">
      <p>Return to the lookup page and submit it via the Token Donation modal.</p>
      <p>You get a receipt, shown only once, with which you can take the token back.</p>
      <ButtonLink href="/#donate-token" look="primary">
        Donate a bot token
      </ButtonLink>
    </Step>
  </ol>
);

const Trust = ({ site }: TokenDonationProps): ReactNode => (
  <Section title="Token usage & trust">
    <ul>
      <li>Tokens are only used to fetch user info via the official API.</li>
      <li>
        When you donate, we ask {site.platformName} once each: <Call path="/users/@me" /> (does the token
        work, and is it a bot’s?) and <Call path="/applications/@me" /> (is it in no server?).
      </li>
      <li>
        From then on it makes <Call path="/users/{id}" />, for ids that visitors look up, and nothing else;
        only we ourselves may repeat those two questions, to see whether it still works.
      </li>
      <li>No servers are joined, no messages are read or sent.</li>
      <li>
        The token can be revoked at any time: press “Reset Token” on the Bot tab and ours stops working at
        once.
      </li>
    </ul>
  </Section>
);

const Call = ({ path }: { readonly path: string }): ReactNode => (
  <code className={styles.example}>GET&nbsp;{path}</code>
);

const Keeping = (): ReactNode => (
  <Section title="How it is kept">
    <ul>
      <li>
        Sealed with AES-256-GCM under a key of its own. What opens that key is not in the database: a copy of
        the database alone opens nothing.
      </li>
      <li>Never shown, never logged, and never sent anywhere but to the platform’s API.</li>
      <li>
        Nothing is kept of who you are. Your receipt is kept only as a digest, so we cannot give it to you
        again.
      </li>
    </ul>
  </Section>
);

const Leaving = (): ReactNode => {
  const request = useProvedRequest<Accepted>();
  return (
    <Section title="How to leave">
      <p>
        Enter your receipt, or the token itself. Before you have the answer, the token is out of use and its
        sealed copy deleted; it does not come back with an older backup either. Without us, “Reset Token” in
        the developer portal makes it worthless.
      </p>
      <div className={styles.wide} onFocus={preloadAltcha}>
        <WithdrawalForm request={request} />
        <CaptchaDialog title="Verify your withdrawal" request={request} />
      </div>
    </Section>
  );
};

const NoPromises = ({ site }: TokenDonationProps): ReactNode => (
  <Section title="What we cannot promise">
    <ul>
      <li>
        {site.platformName} may terminate the application whose token you donate. Its developer terms restrict
        sharing credentials, and it could act against the account that owns the application.
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
);
