import { FLAG_NAMES } from '#shared/flags.ts';
import { ERROR_SENTENCES, POOL_EMPTY_FOR_GOOD, TOKEN_SAVED, TOKEN_WITHDRAWN } from '#shared/sentences.ts';

/**
 * Everything the pages say, in English; the type of every other language follows from it. How to write texts, and what
 * the marks and the names in braces mean: docs/translating.md.
 */
export const texts = {
  /** Around every page. */
  frame: {
    skip: 'Skip to content',
    subtitle: 'Unofficial Lookup',
    navigation: 'Main',
    menu: 'Menu',
    darkTheme: 'Dark theme',
    lookup: 'Lookup',
    tokenDonation: 'Token Donation',
    supportUs: 'Support us',
    contactUs: 'Contact us',
    privacy: 'Privacy',
    help: 'Help',
    status: 'Status',
    languages: 'Languages',
    demoMode: 'Demo mode: every profile here is made up. Nothing is sent to {platformName}.',
    unofficial:
      '{brandName} is an unofficial tool. It is not affiliated with, endorsed by or sponsored by {platformName}.',
    unexpectedError: 'Unexpected Application Error!',
    unexpectedErrorLead: 'Something went wrong on this page. Reloading it may help.',
    reload: 'Reload',
  },
  /** Shown on the English page to those who read this language. */
  offer: {
    text: 'This site is also available in English.',
    accept: 'Switch to English',
    decline: 'No thanks',
  },
  /** Parts that many pages have. */
  ui: {
    close: 'Close',
    cancel: 'Cancel',
    tryAgain: 'Try again',
    backToLookup: 'Back to Lookup',
    donateToken: 'Donate a bot token',
    copied: 'Copied.',
    copyFailed: 'Your browser didn’t allow copying.',
    /** Beside a time in UTC: the same moment where the visitor is. */
    yourTime: '{time} your time',
    /** `inTime` is like “in 5 minutes”. */
    tryAgainIn: 'You can try again {inTime}.',
    tryAgainNow: 'You can try again now.',
    lessThanMinute: 'less than a minute',
    /** `age` is like “2 years, 3 months”, in the nominative. */
    ago: '{age} ago',
  },
  /** The lookup page at rest. */
  lookup: {
    heading: 'Look up a {platformName} profile',
    headingNote: 'Paste a user ID to see the public profile behind it and the day the account was created.',
    fieldLabel: '{platformName} ID',
    fieldHint: 'Paste a user ID, a mention or a profile link.',
    submit: 'Lookup',
    busy: 'Looking up…',
    noScript:
      'Lookups need JavaScript: your browser solves a small puzzle that keeps bots out. Without it you can still read every page of this site.',
    invitation: 'Press Lookup to see who this is.',
    cancelled: 'Lookup cancelled.',
    lookupFailed: 'Unable to complete lookup.',
    donationFailed: 'Unable to open the donation form.',
    partMissing: 'Part of this page didn’t load. Reload the page and try again.',
    lookupOffline: 'You seem to be offline. Reconnect, then press Lookup again.',
    donationOffline: 'You seem to be offline. Reconnect, then try again.',
    findId: 'Where do I find an ID?',
    findIdFirst: 'Turn on **Developer Mode** in the app, under **User Settings → Advanced**. Then:',
    findIdComputer: '**On a computer,** right-click the person and choose **Copy User ID**.',
    findIdPhone: '**On a phone,** open the person’s profile, tap **⋯** and choose **Copy User ID**.',
    findIdWhy: 'A username won’t work: usernames can change, IDs never do.',
    samples: 'Sample profiles',
    moreSamples: 'More samples to try',
    howDonationsWork: 'How token donations work',
    support: 'Support',
    runsOnDonations: '{brandName} runs on donations.',
    moneyAndTokens: 'Money pays for the server; donated bot tokens keep lookups working.',
    moneyOnly: 'Money pays for the server that answers your lookups.',
  },
  /** What the made-up profiles of the demo show. */
  samples: {
    'Ordinary, with banner and accent': 'Ordinary, with banner and accent',
    'Animated avatar and banner': 'Animated avatar and banner',
    'Name in five colours, worn for a time': 'Name in five colours, worn for a time',
    'Letters in five colours': 'Letters in five colours',
    'Server tag': 'Server tag',
    'Clan other than the primary server': 'Clan other than the primary server',
    'Server tag taken off': 'Server tag taken off',
    'No avatar': 'No avatar',
    'Legacy discriminator': 'Legacy discriminator',
    'Verified bot': 'Verified bot',
    Team: 'Team',
    'Provisional account': 'Provisional account',
    'System account': 'System account',
    'Every flag': 'Every flag',
    'Deleted account': 'Deleted account',
    'Deleted account, as it was called before': 'Deleted account, as it was called before',
    'Markup in the name': 'Markup in the name',
    'Right-to-left override': 'Right-to-left override',
    'Zero-width characters': 'Zero-width characters',
    'Letters of two scripts': 'Letters of two scripts',
    'Stacked accents': 'Stacked accents',
    'Very long name': 'Very long name',
    'Empty display name': 'Empty display name',
    'Unknown user': 'Unknown user',
  },
  /** What an ID tells by itself. */
  id: {
    tooShort: 'An ID has {fewestDigits} to {mostDigits} digits.',
    role: 'That’s a role mention, and roles don’t have profiles. Paste a user’s ID instead.',
    channel: 'That’s a channel mention, and channels don’t have profiles. Paste a user’s ID instead.',
    emoji: 'That’s an emoji, and emojis don’t have profiles. Paste a user’s ID instead.',
    link: 'That link goes to a server, a channel or a message. Paste a user’s ID instead.',
    several: 'There’s more than one ID in this text. Paste one at a time.',
    leadingZero: 'An ID doesn’t start with a zero. Copy it again.',
    changed: 'This number was changed on its way, perhaps by a spreadsheet. Copy the ID from the original.',
    perhapsRounded: 'This ID ends in zeros. If it comes from a spreadsheet, it was rounded: copy it again.',
    name: 'That looks like a name. You can only look people up by ID, a number of {fewestDigits} to {mostDigits} digits.',
    accountCreated: 'Account created {day}',
    more: 'Details',
    created: 'Created',
    worker: 'Worker',
    process: 'Process',
    increment: 'Increment',
  },
  captcha: {
    title: 'Captcha',
    description: 'Your browser is solving a quick puzzle to keep bots out. You don’t need to do anything.',
    loading: 'Loading...',
    retry: 'Retry',
    verifying: 'Verifying... please wait.',
    failed: 'Verification failed. Please try again.',
    expired: 'Verification expired. Try again.',
    notLoaded: 'captcha widget took too long to load. Check your connection and retry.',
    noPayload: 'Verification did not return a token. Please retry.',
    progress: 'Captcha progress',
    secondsLeft: { one: 'Up to {count} second left', other: 'Up to {count} seconds left' },
    almostDone: 'Almost done',
    /** The widget's own words. */
    notRobot: "I'm not a robot",
    verified: 'Verified',
    failedLater: 'Verification failed. Try again later.',
    /** At the answer: how long the browser worked on the puzzle. */
    solvedIn: 'Verified by proof of work in {seconds} s',
    why: 'Your browser solved a small puzzle. It costs one person almost nothing, but a program that asks thousands of times a lot of computing.',
    whyLink: 'Why a puzzle?',
  },
  /** The answer to a lookup, unless it is a profile. */
  answer: {
    shown: 'Showing the profile of {name}.',
    /** A date follows. */
    notFound: 'No profile was found for {id}. {platformName} reports that the snowflake was created at:',
    notFoundUndated: 'No profile was found for {id}.',
    causesTitle: 'Usually because:',
    causes: [
      'The ID belongs to a server, a channel, a role or a message, not to a user.',
      'The account was deleted long ago.',
      'A digit is wrong or missing. Check it against the original.',
    ],
    otherIds: 'What else can an ID belong to?',
    tokenDonate:
      'That was a bot token, not an ID. We removed it and sent it nowhere. If you meant to donate it, use the form below; otherwise reset it in the developer portal.',
    tokenInAddress:
      'That was a bot token, not an ID. It was in the address of this page, so others may have seen it: reset it in the developer portal.',
    tokenReset:
      'That was a bot token, not an ID. We removed it and sent it nowhere. To be safe, reset it in the developer portal.',
    viewStatus: 'View status',
    solveAgain: 'Two captchas in a row were refused. Try again, or reload the page first.',
    outOfDate: 'This page may be out of date. Reload it and try again.',
    ourFault: 'Something went wrong on our side. Try again in a moment.',
    soonOver: 'This usually clears up within a few minutes.',
    slotSoon: 'A slot will open up shortly.',
    dateStillRight: 'The creation date below is still right: it’s part of the ID.',
    whyLimited: 'We limit lookups so that there are enough for everyone.',
    checkConnection: 'Check your connection and try again.',
    onceOnline: 'Try again once you’re back online.',
  },
  /** By the code of the server's answer. */
  errors: { ...ERROR_SENTENCES, poolEmptyForGood: POOL_EMPTY_FOR_GOOD },
  /** The card of a profile. */
  card: {
    pause: 'Pause',
    play: 'Play',
    avatarOf: 'Avatar of {name}',
    bannerOf: 'Banner of {name}',
    opensInNewTab: 'Opens in a new tab',
    copyLink: 'Copy link',
    openInDiscord: 'Open in Discord',
    copyDisplayName: 'Copy display name',
    copyUsername: 'Copy username',
    deleted: 'This account was deleted.',
    app: 'App',
    system: 'System',
    verified: 'Verified',
    flags: 'Flags',
    invisibleName: '(invisible name)',
    /** Names that look like another one. What is odd about them follows. */
    oddNames: {
      characters: 'Hidden characters:',
      direction: 'Hidden characters that change the reading direction:',
      mixed: 'Letters of different alphabets:',
    },
    clan: 'Clan',
    primaryGuild: 'Primary Guild',
    created: 'Created',
    copyDate: 'Copy date',
    dateForms: { date: 'Discord date', age: 'Discord relative time', unix: 'Unix time', utc: 'ISO 8601' },
    id: 'ID',
    copyId: 'Copy ID',
    copyColor: {
      accent: 'Copy accent colour {color}',
      banner: 'Copy banner colour {color}',
      both: 'Copy accent and banner colour {color}',
    },
    details: 'Details',
    whyMissing: 'Why no bio or Nitro badge?',
    publicFlags: 'Public flags',
    /** For a field without a value. */
    none: 'None',
    /** The names of fields in a table. */
    fields: {
      username: 'Username',
      displayName: 'Display name',
      globalName: 'Global name',
      discriminator: 'Discriminator',
      avatar: 'Avatar URL',
      banner: 'Banner URL',
      badge: 'Badge URL',
      accentColor: 'Accent colour',
      bannerColor: 'Banner colour',
    },
    server: 'server {id}',
    copyServerId: 'Copy server ID',
    json: 'Raw JSON',
    copyJson: 'Copy JSON',
  },
  /** The names of flags, which are badges. In English they are those of the API. */
  flags: FLAG_NAMES,
  /** The pictures of a profile, to take away. */
  pictures: {
    title: 'Pictures',
    avatar: {
      name: 'Avatar',
      copyUrl: 'Copy avatar URL',
      download: 'Download avatar',
      format: 'Avatar format',
      size: 'Avatar size',
      inShop: 'Shop: avatar',
    },
    banner: {
      name: 'Banner',
      copyUrl: 'Copy banner URL',
      download: 'Download banner',
      format: 'Banner format',
      size: 'Banner size',
      inShop: 'Shop: banner',
    },
    decoration: {
      name: 'Decoration',
      copyUrl: 'Copy decoration URL',
      download: 'Download decoration',
      format: 'Decoration format',
      size: 'Decoration size',
      inShop: 'Shop: decoration',
    },
    nameplate: {
      name: 'Nameplate',
      copyUrl: 'Copy nameplate URL',
      download: 'Download nameplate',
      format: 'Nameplate format',
      size: 'Nameplate size',
      inShop: 'Shop: nameplate',
    },
    animatedWebp: 'WebP, animated',
    pixels: '{pixels} px',
    onlyForm: 'PNG, one size',
    until: 'Until {day}',
    shop: 'Shop',
    shopHint: 'In the shop (opens in a new tab)',
  },
  /** What can be saved of a profile: an image, JSON, and a report in Markdown. */
  export: {
    title: 'Export',
    image: 'Save as image',
    json: 'Save as JSON',
    markdown: 'Copy as Markdown',
    share: 'Share…',
    imageSaved: 'Image saved.',
    imageWithoutPictures: 'Image saved, but some pictures didn’t load and are missing from it.',
    jsonSaved: 'JSON saved.',
    markdownCopied: 'Report copied.',
    failed: 'That didn’t work. Please try again.',
    lookedUp: 'Looked up',
    kind: 'Account type',
    kinds: { user: 'User', app: 'App', system: 'System account', deleted: 'Deleted account' },
    badges: 'Badges',
    noBadges: 'none',
    source: 'Looked up {time} with {link}',
  },
  recents: {
    title: 'Recent lookups',
    offer: 'Keep a list of recent lookups? It stays in this browser.',
    empty: 'Nothing here yet. Profiles you look up will appear here, in this browser only.',
    switchOn: 'Keep recent lookups',
    switchOff: 'Turn off',
    clear: 'Clear',
    compare: 'Compare two',
    choose: 'Pick two profiles to compare.',
    chooseAnother: 'Pick one more to compare.',
    switchedOn: 'Recent lookups are kept in this browser.',
    switchedOff: 'Recent lookups are off, and the list is deleted.',
    cleared: 'The list is empty.',
    remove: 'Remove {name} from the list',
    removed: '{name} is no longer in the list.',
    comparison: {
      title: 'Side by side',
      fact: 'Fact',
      username: 'Username',
      kind: 'Account',
      tag: 'Server tag',
      color: 'Colour',
      none: 'None',
      sameMoment: 'Both accounts were created at the same moment.',
      older: '{name} is the older account, by {age}.',
    },
  },
  /** The forms for a token: to donate it, and to withdraw it. */
  donation: {
    title: 'Donate a {platformName} bot token',
    note: 'Your token is only used to look up profiles. {platformName} may shut its application down, so create a new one just for this.',
    /** The link opens in a tab of its own: this one has the token in it. */
    risk: '{platformName} could also act against the account that owns the application. [Read about the risks]({risksUrl})',
    label: 'Bot Token',
    placeholder: 'Paste your bot token',
    hint: 'Do not reuse an existing token, and do not add the bot to any server.',
    submit: 'Submit & Verify',
    busy: 'Verifying…',
    captchaTitle: 'Verify your token donation',
    failed: 'Token donation failed.',
    unreachable: 'Unable to submit token right now.',
    saved: TOKEN_SAVED,
    receipt: {
      title: 'Your receipt',
      titleWithout: 'Thank you',
      keep: 'Save this now: we can’t show it again. Use it on the Token Donation page to withdraw your token.',
      copy: 'Copy receipt',
      copied: 'Copied',
      copyFailed:
        'Your browser didn’t allow copying. Download the receipt, or select it and copy it yourself.',
      download: 'Download .txt',
      done: 'Done',
      /** What the donor keeps as a file, below the receipt itself. */
      file: 'Your receipt for a bot token donated to {brandName}.\nTo withdraw the token, enter this receipt at {withdrawalUrl}',
    },
    leaving: {
      title: 'Leave without the receipt?',
      text: 'You haven’t saved it yet, and we can’t show it again. Without it you’ll need the token itself to withdraw it.',
      stay: 'Back to the receipt',
      leave: 'Leave without it',
    },
    withdrawal: {
      label: 'Receipt or bot token',
      hint: 'The answer is the same whether or not we hold it.',
      submit: 'Withdraw',
      busy: 'Withdrawing…',
      captchaTitle: 'Verify your withdrawal',
      failed: 'Withdrawal failed.',
      unreachable: 'Unable to withdraw the token right now.',
      done: TOKEN_WITHDRAWN,
    },
  },
  tokenDonation: {
    title: 'Token Donation',
    notTaken: 'We don’t accept bot tokens. Please don’t send us one.',
    lentEarlier: 'If you lent us one earlier, you can still withdraw it.',
    lead: 'Lend us the token of a bot that you create just for this. We only use it to look up profiles, so that lookups keep working for everyone.',
    step: 'Step {number}',
    risks: {
      title: 'The risks',
      texts: [
        [
          '{platformName} may terminate the application whose token you donate. Its developer terms restrict sharing credentials, and it could act against the account that owns the application.',
          'The people who run this server could, with full access to it, read a token while it’s in use. Only donate one you can afford to lose.',
        ],
        'Questions? [Contact us](/contact) before you donate.',
      ],
    },
    create: {
      title: 'Create a bot and copy its token',
      texts: [
        'Create a new application in [{platformName}’s developer portal]({developerPortalUrl}), open the Bot tab, reset the token and copy it.',
        'Use it for nothing else, because {platformName} may terminate it. Don’t add the bot to any server and leave all privileged intents off, so its token can only read public profiles.',
      ],
    },
    submit: {
      title: 'Submit it here',
      texts: [
        'Return to the lookup page and submit it via the Token Donation modal, or open the modal right here.',
        'You’ll get a one-time receipt that lets you withdraw the token.',
      ],
    },
    why: {
      title: 'Why this matters',
      texts: [
        'Only bots can look up users, and bots used by public tools keep getting shut down. When the last one is gone, nobody can look anyone up. Donated tokens are our reserve: when one bot is lost, the others carry on. They are a backup, not a way around rate limits.',
        'See the [status page](/status) for the current count.',
      ],
    },
    trust: {
      title: 'Token usage & trust',
      texts: [
        [
          'Tokens are only used to fetch user info via the official API.',
          'When you donate, we make two requests to {platformName}: `GET\u00A0/users/@me` (does the token work, and does it belong to a bot?) and `GET\u00A0/applications/@me` (is the bot in any servers?).',
          'After that, your token only makes `GET\u00A0/users/{id}` requests for IDs that visitors look up. We may repeat those two checks to see if it still works.',
          'No servers are joined, and no messages are read or sent.',
          'The token can be revoked at any time: press “Reset Token” on the Bot tab and our copy stops working at once.',
        ],
      ],
    },
    storage: {
      title: 'How it is stored',
      texts: [
        [
          'Encrypted with AES-256-GCM, each token under its own key. The master key is stored separately, so a stolen database is useless on its own.',
          'Never shown, never logged, and never sent anywhere except {platformName}’s API.',
          'We don’t store anything about you. We only keep a hash of your receipt, so we can’t show it to you again.',
        ],
      ],
    },
    withdraw: {
      title: 'Withdraw your token',
      text: 'Enter your receipt, or the token itself. By the time you see the confirmation, the token is out of use and deleted, and restoring a backup won’t bring it back. You can also press “Reset Token” in the developer portal, which makes our copy useless.',
      noScript:
        'Donating and withdrawing need JavaScript. Without it, “Reset Token” in the developer portal still works.',
    },
  },
  donate: {
    title: 'Support us',
    lead: '{brandName} is free and ad-free. Donations pay for the server.',
    action: 'Donate now',
    vanityLink: {
      title: 'Your own vanity link',
      texts: [
        'Donate {vanityMinEur} EUR or more and you can request a custom vanity link: `{host}/yourname`, a short address that redirects to your server’s invite.',
        'Pick any name of 2 to 32 letters, digits or hyphens, if it’s available. Please use an invite that never expires. We check once a day that it still leads to the same server; if it doesn’t, we pause the link until you contact us.',
      ],
    },
    afterwards: {
      title: 'After you donate',
      texts: [
        'Please [send us an email](/contact) with the name you’d like, the invite it should lead to, and the name or time of your payment, so we can find it.',
      ],
    },
    tokens: {
      title: 'No money to spare?',
      texts: ['A bot token helps just as much: see [how token donations work](/token-donation).'],
    },
  },
  contact: {
    title: 'Contact us',
    lead: 'Have a question, a vanity link request or a bug to report? Email us.',
  },
  /** The contact address, on two pages. */
  contactAddress: {
    copy: 'Copy address',
    copied: 'Copied',
    copyFailed: 'Your browser didn’t allow copying. Please select the address.',
    write: 'Send an email',
  },
  help: {
    title: 'Help',
    lead: 'What people ask us most, in a few sentences each.',
    missing: {
      title: 'Why is there no bio, status or Nitro badge?',
      texts: [
        '{platformName} tells bots only part of a profile: the names, the pictures, a colour, the server tag and a few badges. Bio, pronouns, connections, online status, server profiles, and the badges for Nitro, boosts and quests are not sent to them, so no lookup tool can show them.',
        'The colour can differ from the app as well. For people with a profile theme, {platformName} sends an older one.',
      ],
    },
    told: {
      title: 'Is the person told?',
      texts: [
        'No. A lookup sends no notification and changes nothing on the account. We don’t record who looked up whom either: see [Privacy](/privacy).',
      ],
    },
    whose: {
      title: 'Whose ID is this?',
      texts: [
        'Paste it on the [lookup page](/). If it belongs to a user, you’ll see the profile.',
        'Servers, channels, messages, roles, emojis and applications have IDs that look the same. Nobody is found for those, but the date still shows: it’s part of every ID.',
        'You can’t search by name. {platformName} offers bots no such search.',
      ],
    },
    find: {
      title: 'How do I find an ID?',
      texts: [
        'Turn on Developer Mode first: User Settings → Advanced → Developer Mode. On a phone, tap your picture and then the gear to get to the settings.',
        [
          'On a computer or in a browser: right-click the person’s name or picture and choose Copy User ID.',
          'On an Android phone or tablet: open the person’s profile, tap ⋯ in the corner and choose Copy User ID.',
          'On an iPhone or iPad: open the person’s profile, tap ⋯ in the corner and choose Copy User ID.',
        ],
        'Your own ID is found the same way, on your own profile.',
      ],
    },
    deleted: {
      title: 'What happens to deleted accounts?',
      texts: [
        '{platformName} takes their picture away and gives them another name: `deleted_user_` and a code or, in older cases, `Deleted User` and a code. The ID and the day it was created stay. There is no way to see who it was.',
      ],
    },
    kinds: {
      title: 'What are provisional accounts and teams?',
      texts: [
        'A provisional account was made by a game, for a player who has no {platformName} account yet. “User is a team” marks an account that stands for a team of developers, not for a person.',
      ],
    },
    names: {
      title: 'Why is there a warning next to a name?',
      texts: [
        'Some characters can’t be seen, some turn the text around, and some look just like letters of another alphabet. With them one person can look like another: “\u0410dmin” with a Cyrillic A is not “Admin”. We show such characters so that you can tell.',
        'Many people only use them for decoration. If you want to be sure who somebody is, compare the ID: it can’t be imitated.',
      ],
    },
    puzzle: {
      title: 'Why a puzzle?',
      texts: [
        'Before each lookup your browser solves a small puzzle, a proof of work: it tries numbers until one fits. You don’t have to do anything, and mostly you won’t even notice.',
        'One puzzle takes your device a moment. Anyone who wants to look up thousands of profiles has to solve thousands of them, which makes bots slow and expensive. It works without accounts, cookies, pictures to click on or a company that watches you.',
      ],
    },
    leftOut: {
      title: 'How do I keep my profile off this site?',
      texts: [
        '[Email us](/contact) your {platformName} ID. We’ll ask you to show that the account is yours. After that, {brandName} answers “not found” for your ID and never asks {platformName} about it. [Privacy](/privacy) has the details.',
      ],
    },
  },
  privacy: {
    title: 'Privacy',
    lead: '{brandName} shows what {platformName} shows to everyone, and keeps nothing about who asked.',
    lookups: {
      title: 'When you look someone up',
      noRecord:
        'We keep no record of it: not the ID, not the result, not your IP address. A result stays in memory for at most ten minutes, so that the next visitor who asks gets it sooner. There are no accounts, no cookies and no third-party analytics.',
      limits:
        'To stop anyone hogging the service, we limit requests per IP address. The addresses are hashed with a key that changes every day, stay in memory for at most a day, and are never logged.',
      picturesRelayed: 'Images load through our server, so {platformName} doesn’t see your IP address.',
      picturesDirect: 'Images load from {platformName}’s servers, which see your IP address.',
    },
    browser: {
      title: 'What stays in your browser',
      theme: 'The theme you chose, if you switched it. It never leaves your browser.',
      language: 'The language you chose, if you switched it. It never leaves your browser.',
      recents:
        'Your recent lookups, if you switch them on: at most 12 profiles, each with its ID, names, picture address and badges. The list never leaves your browser, and one press deletes it.',
      offlinePage:
        'One small page, kept by a service worker, so that you can read the date out of an ID without a network. It is the same for everyone and holds nothing about you or your lookups.',
      address:
        'When a profile is found, its ID goes into the page’s address, so you can share the link or come back to it. Like every page you visit, it then stays in your browser’s history until you clear it.',
    },
    kept: {
      title: 'What we keep',
      tokens:
        'Donated bot tokens, encrypted, until they are withdrawn or stop working. [See how we store them](/token-donation#storage).',
      vanityLinks:
        'Vanity links, until they are removed. We may keep a note of the donation with a link: the donor’s name, the amount and the date. The note is never public.',
      optOuts: 'A hashed list of people who opted out.',
      counts: 'Anonymous counts of lookups and errors.',
    },
    optingOut: {
      title: 'Opting out',
      texts: [
        'If you don’t want your profile to be found on this site, [email us](/contact) your {platformName} ID. We’ll ask you to show that the account is yours. After that, your ID returns “not found” and we never ask {platformName} about it. You can change your mind at any time.',
        'The ID itself still reveals when the account was created: the date is part of the number, and anyone can work it out without us.',
      ],
    },
  },
  status: {
    title: 'Status',
    lead: 'How many tokens {brandName} has and how lookups are going. Totals only, nothing about individual tokens or visitors.',
    refresh: 'Refresh',
    upToDate: 'The status is up to date.',
    updatedAt: 'Updated {time} UTC',
    updatedNow: 'Updated just now',
    /** `ago` is like “5 minutes ago”. */
    updatedAgo: 'Updated {ago}',
    failed: 'The status could not be read. Please try again later.',
    unreachable: 'The server could not be reached. Check your connection and refresh.',
    lookups: 'Lookups in the last hour',
    served: 'Served',
    refused: 'Refused',
    tokens: 'Tokens',
    healthy: 'Healthy',
    cooling: 'Cooling',
    retired: 'Retired',
    lastRetirement: 'Last token retired',
    noRetirement: 'None so far',
    lastDay: {
      title: 'Last 24 hours',
      /** What the chart shows, for those who do not see it. */
      summary:
        'Lookups in the last 24 hours: {served} served, {refused} refused. Healthy tokens: {least} at least, {most} at most.',
      served: '{count} served',
      refused: '{count} refused',
      tokens: 'Healthy tokens',
      /** What the chart's height stands for, in each hour; the number may be 0 or 1. */
      lookupScale: 'Lookups: up to {count}',
      tokenScale: 'Tokens: up to {count}',
      begin: '24 hours ago',
      end: 'Now',
      since: 'No figures from before {time} UTC.',
      table: 'Show as a table',
      columns: ['Hour (UTC)', 'Served', 'Refused', 'Tokens healthy'],
    },
    needed: {
      title: 'Do we need tokens?',
      yes: 'Yes, we’re running low.',
      no: 'Not right now.',
      readFirst: 'Before you donate, read [how token donations work](/token-donation).',
    },
    glossary: {
      title: 'Glossary',
      texts: [
        [
          'A healthy token can answer a lookup right now.',
          'A cooling token is waiting until {platformName} lets it ask again.',
          'A retired token was revoked or terminated, and is no longer used.',
          'A refused lookup got no answer because no token was free or {platformName} failed.',
        ],
        'The same data as JSON: [/status.json](/status.json). The whole API is described in [/openapi.json](/openapi.json).',
      ],
    },
  },
  /** How lookups are going, in a few words. */
  live: {
    working: 'All lookups working',
    failing: 'Some lookups are failing',
    slow: 'Lookups are slow right now',
    paused: 'Lookups are paused',
    down: 'Lookups are down',
  },
  notFound: { title: 'Page not found', lead: 'There is nothing at this address.' },
  offline: {
    title: 'No connection',
    lead: 'We can’t reach {brandName} right now, and lookups need the network. You can still paste an ID to see when it was created.',
    label: '{platformName} ID',
    back: 'You’re back online.',
  },
  pausedLink: {
    title: 'This link is paused',
    lead: '{link} isn’t active right now.',
    why: 'Why',
    because: {
      operator: 'The people who run this site have paused it.',
      'invite-changed': 'Its invite now points to a different server, so we’ve stopped redirecting.',
      'invite-gone': 'Its invite has expired or been deleted.',
    },
    yours: 'Is it your link? [Contact us](/contact) and we’ll sort it out.',
  },
  /** Titles of windows and search results, and what previews and browsers say of the site. Only the server has these. */
  head: {
    siteTitle: '{brandName}: {platformName} profile lookup',
    previewPicture: 'A user ID, and the {platformName} profile behind it',
    lookup: 'Look up the public {platformName} profile behind a user ID. Unofficial.',
    tokenDonation:
      'How to donate a {platformName} bot token to {brandName}, what it is used for and what the risks are.',
    noTokenDonation: '{brandName} doesn’t accept bot tokens.',
    donate: 'Keep {brandName} running. From {vanityMinEur} EUR you can request a vanity link.',
    contact: 'How to reach the people behind {brandName}.',
    status: 'How many tokens {brandName} has and how its lookups are going.',
    privacy: 'What {brandName} keeps, for how long, and how to opt out.',
    help: 'What {brandName} can show of a {platformName} profile, and how to find an ID.',
    pausedLinkTitle: 'Link paused',
    pausedLink: 'This link is paused.',
    search: 'Look up a {platformName} profile by its user ID',
    /** The preview of a link to a profile, made from its ID alone. */
    idTitle: '{platformName} ID {id}',
    idDescription: 'Created on {day} at {time} UTC, {age} ago. Open the link to look it up.',
  },
} as const;
