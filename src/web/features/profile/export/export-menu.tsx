import { useState, type ReactNode } from 'react';
import type { ProfileAnswer } from '../../../read-profile.ts';
import { useEnvironment, useTexts } from '../../../environment.ts';
import { importAgain } from '../../../import-again.ts';
import { download } from '../../../ui/download.ts';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { fileName } from '../file-name.ts';
import { profileJson } from '../profile-details.tsx';
import styles from './export-menu.module.css';

const loadImage = () => importAgain(() => import('./profile-image.ts'));
const loadMarkdown = () => importAgain(() => import('./profile-markdown.ts'));

type ExportMenuProps = { readonly profile: ProfileAnswer; readonly link: string };

/** The code for each of these is fetched when it is used. */
export const ExportMenu = ({ profile, link }: ExportMenuProps): ReactNode => {
  const { browser, texts: store } = useEnvironment();
  const texts = useTexts('export');
  const [outcome, setOutcome] = useState('');

  const attempt = (task: () => Promise<string>) => (): void => {
    setOutcome('');
    void task().then(setOutcome, () => setOutcome(texts.failed));
  };

  const saveImage = async (): Promise<string> => {
    const { blob, complete } = await (await loadImage()).drawProfile(profile, store);
    download(blob, fileName(profile, '.png'), browser);
    return complete ? texts.imageSaved : texts.imageWithoutPictures;
  };
  const saveJson = async (): Promise<string> => {
    const blob = new Blob([profileJson(profile)], { type: 'application/json' });
    download(blob, fileName(profile, '.json'), browser);
    return texts.jsonSaved;
  };
  const copyMarkdown = async (): Promise<string> => {
    const { profileMarkdown } = await loadMarkdown();
    await navigator.clipboard.writeText(profileMarkdown(profile, link, store));
    return texts.markdownCopied;
  };
  const share = async (): Promise<string> => {
    await navigator.share({ url: link }).catch(() => undefined);
    return '';
  };

  return (
    <Menu label={texts.title} icon="download" labelled onOpen={() => setOutcome('')}>
      <MenuItem icon="download" label={texts.image} onPress={attempt(saveImage)} />
      <MenuItem icon="download" label={texts.json} onPress={attempt(saveJson)} />
      <MenuItem icon="copy" label={texts.markdown} onPress={attempt(copyMarkdown)} />
      {'share' in navigator && <MenuItem icon="external" label={texts.share} onPress={attempt(share)} />}
      <p role="status" className={styles.outcome}>
        {outcome}
      </p>
    </Menu>
  );
};
