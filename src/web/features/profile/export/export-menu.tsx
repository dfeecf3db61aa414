import { useEffect, useState, type ReactNode } from 'react';
import { useEnvironment, useTexts } from '../../../environment.ts';
import type { ProfileAnswer } from '../../../read-profile.ts';
import { download } from '../../../ui/download.ts';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { profileJson } from '../profile-details.tsx';
import { fileName } from '../profile-name.ts';
import styles from './export-menu.module.css';
import { profileMarkdown } from './profile-markdown.ts';

const SHOWN_MS = 2_000;

/** `done`: said on the button, for a while. Anything else is to be read below it. */
type Outcome = { readonly done: boolean; readonly words: string };

type ExportMenuProps = { readonly profile: ProfileAnswer; readonly link: string };

export const ExportMenu = ({ profile, link }: ExportMenuProps): ReactNode => {
  const environment = useEnvironment();
  const { browser, texts: store } = environment;
  const texts = useTexts('export');
  const [outcome, setOutcome] = useState<Outcome>();
  const done = outcome?.done === true;

  useEffect(() => (done ? browser.after(SHOWN_MS, () => setOutcome(undefined)) : undefined), [done, browser]);

  const attempt = (task: () => Promise<Outcome>) => (): void => {
    setOutcome(undefined);
    void task().then(setOutcome, () => setOutcome({ done: false, words: texts.failed }));
  };

  const saveImage = async (): Promise<Outcome> => {
    const { drawProfile } = await import('./profile-image.ts');
    const { blob, complete } = await drawProfile(profile, environment);
    download(blob, fileName(profile, '.png'), browser);
    return { done: complete, words: complete ? texts.imageSaved : texts.imageWithoutPictures };
  };
  const saveJson = async (): Promise<Outcome> => {
    const blob = new Blob([profileJson(profile)], { type: 'application/json' });
    download(blob, fileName(profile, '.json'), browser);
    return { done: true, words: texts.jsonSaved };
  };
  /** Within the press itself: some browsers allow writing to the clipboard only then. */
  const copyMarkdown = async (): Promise<Outcome> => {
    await navigator.clipboard.writeText(profileMarkdown(profile, link, store));
    return { done: true, words: texts.markdownCopied };
  };

  return (
    <>
      <Menu label={done ? outcome.words : texts.title} icon={done ? 'check' : 'download'} labelled>
        <MenuItem icon="download" label={texts.image} onPress={attempt(saveImage)} />
        <MenuItem icon="download" label={texts.json} onPress={attempt(saveJson)} />
        <MenuItem icon="copy" label={texts.markdown} onPress={attempt(copyMarkdown)} />
      </Menu>
      <p role="status" className={done ? 'hidden' : `small ${styles.outcome}`}>
        {outcome?.words}
      </p>
    </>
  );
};
