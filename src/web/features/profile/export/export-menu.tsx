import { useState, type ReactNode } from 'react';
import type { Profile } from '#shared/contract/profile.ts';
import { importAgain } from '../../../import-again.ts';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { rawJson } from '../profile-details.tsx';
import styles from './export-menu.module.css';

const loadImage = () => importAgain(() => import('./profile-image.ts'));
const loadMarkdown = () => importAgain(() => import('./profile-markdown.ts'));

type ExportMenuProps = { readonly profile: Profile; readonly link: string };

const WITHOUT_PICTURES =
  'Image saved. The image server does not let other sites read its pictures, so initials stand in for them.';

const save = (blob: Blob, name: string): void => {
  const address = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
};

/** What is needed for any of these is fetched when it is asked for. */
export const ExportMenu = ({ profile, link }: ExportMenuProps): ReactNode => {
  const [outcome, setOutcome] = useState('');

  const attempt = (task: () => Promise<string>) => (): void => {
    setOutcome('');
    void task().then(setOutcome, () => setOutcome('That did not work. Please try again.'));
  };

  const saveImage = async (): Promise<string> => {
    const { blob, complete } = await (await loadImage()).drawProfile(profile);
    save(blob, `${profile.id}.png`);
    return complete ? 'Image saved.' : WITHOUT_PICTURES;
  };
  const saveJson = async (): Promise<string> => {
    save(new Blob([rawJson(profile)], { type: 'application/json' }), `${profile.id}.json`);
    return 'JSON saved.';
  };
  const copyMarkdown = async (): Promise<string> => {
    const { profileMarkdown } = await loadMarkdown();
    await navigator.clipboard.writeText(profileMarkdown(profile, link));
    return 'Report copied.';
  };
  const share = async (): Promise<string> => {
    await navigator.share({ url: link }).catch(() => undefined);
    return '';
  };

  return (
    <Menu label="Export" icon="chevron" labelled onOpen={() => setOutcome('')}>
      <MenuItem icon="download" label="Save as image" onPress={attempt(saveImage)} />
      <MenuItem icon="download" label="Save as JSON" onPress={attempt(saveJson)} />
      <MenuItem icon="copy" label="Copy as Markdown" onPress={attempt(copyMarkdown)} />
      {'share' in navigator && <MenuItem icon="external" label="Share…" onPress={attempt(share)} />}
      <p role="status" className={styles.outcome}>
        {outcome}
      </p>
    </Menu>
  );
};
