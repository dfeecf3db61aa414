import { useState, type ReactNode } from 'react';
import { fill } from '#shared/fill.ts';
import type { Nameplate } from '#shared/contract/profile.ts';
import type { Profile, ProfileAnswer } from '../../read-profile.ts';
import { useEnvironment, useTexts } from '../../environment.ts';
import { useFormats } from '../../use-formats.ts';
import { Link } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import copyStyles from '../../ui/copy-button.module.css';
import { Icon } from '../../ui/icon.tsx';
import { ANIMATED_WEBP, formsOf, SIZES, withOwnPictures, type PictureForm } from './picture-forms.ts';
import { Picture } from './pictures.tsx';
import { fileName } from './profile-name.ts';
import styles from './asset-tiles.module.css';

const LIKELY_SIZE = 512;

type Origin = Pick<Nameplate, 'sku_id' | 'expires_at'>;

const PARTS = ['avatar', 'banner', 'decoration', 'nameplate'] as const;

type Part = (typeof PARTS)[number];

type AssetTilesProps = {
  readonly profile: ProfileAnswer;
  readonly shown: Profile;
  readonly show: (url: string) => string;
};

const urlsOf = ({ avatar_url, banner_url, avatar_decoration_url, nameplate }: Profile) => ({
  avatar: avatar_url,
  banner: banner_url,
  decoration: avatar_decoration_url,
  nameplate: nameplate && nameplate.animated_url,
});

/** Nothing is known of what people upload themselves. */
const originsOf = (profile: Profile): Readonly<Partial<Record<Part, Origin | null>>> => ({
  decoration: {
    sku_id: profile.avatar_decoration_sku_id,
    expires_at: profile.avatar_decoration_expires_at,
  },
  nameplate: profile.nameplate,
});

export const AssetTiles = ({ profile, shown, show }: AssetTilesProps): ReactNode => {
  const texts = useTexts('pictures');
  const urls = urlsOf(profile);
  const thumbs = { ...urlsOf(shown), nameplate: shown.nameplate && shown.nameplate.static_url };
  return (
    <ul className={styles.assets} aria-label={texts.title}>
      {PARTS.map(
        (part) =>
          urls[part] !== null && (
            <Asset
              key={part}
              part={part}
              profile={profile}
              url={urls[part]}
              thumb={show(thumbs[part] ?? '')}
            />
          ),
      )}
    </ul>
  );
};

type AssetProps = {
  readonly part: Part;
  readonly profile: ProfileAnswer;
  /** On the platform's CDN, to pass on: it does not expire. */
  readonly url: string;
  readonly thumb: string;
};

const Asset = ({ part, profile, url: only, thumb }: AssetProps): ReactNode => {
  const texts = useTexts('pictures');
  const words = texts[part];
  const origin = originsOf(profile)[part];
  // Our own address, from which browsers download.
  const own = urlsOf(withOwnPictures(profile))[part] ?? only;
  const forms = formsOf(only);
  const [formName, setFormName] = useState(forms[0]?.name);
  const [size, setSize] = useState(LIKELY_SIZE);
  const chosen = (candidate: PictureForm): boolean => candidate.name === formName;
  const form = forms.find(chosen);
  const url = form?.urlAt(size) ?? only;
  return (
    <li className={`row ${styles.asset}`}>
      <span className={styles.thumb}>
        <Picture src={thumb} alt="" />
      </span>
      <div className={styles.choices}>
        <div className={`row ${styles.take}`}>
          <b>{words.name}</b>
          <CopyButton text={url} label={words.copyUrl} />
          <a
            className={`target ${copyStyles.copy}`}
            href={formsOf(own).find(chosen)?.urlAt(size) ?? own}
            download={fileName(profile, `-${part}.${form?.extension ?? 'png'}`)}
            title={words.download}
            aria-label={words.download}
          >
            <Icon name="download" />
          </a>
        </div>
        <div className={`row small ${styles.form}`}>
          {form === undefined ? (
            texts.onlyForm
          ) : (
            <>
              <Choice
                label={words.format}
                value={form.name}
                options={forms.map(({ name }) => [name, name === ANIMATED_WEBP ? texts.animatedWebp : name])}
                onChoose={setFormName}
              />
              <Choice
                label={words.size}
                value={String(size)}
                options={SIZES.map((pixels) => [String(pixels), fill(texts.pixels, { pixels })])}
                onChoose={(chosen) => setSize(Number(chosen))}
              />
            </>
          )}
          {origin && 'inShop' in words && <AssetOrigin inShop={words.inShop} {...origin} />}
        </div>
      </div>
    </li>
  );
};

const AssetOrigin = ({ inShop, sku_id, expires_at }: Origin & { readonly inShop: string }): ReactNode => {
  const texts = useTexts('pictures');
  const { day } = useFormats();
  const hasShop = useEnvironment().site.platformName === 'Discord';
  return (
    <span className={`target ${styles.origin}`}>
      {expires_at !== null && <span>{fill(texts.until, { day: day(Date.parse(expires_at)) })}</span>}
      {sku_id !== null && hasShop && (
        <Link
          className="target"
          href={`https://discord.com/shop#itemSkuId=${encodeURIComponent(sku_id)}`}
          title={texts.shopHint}
          aria-label={inShop}
        >
          {texts.shop}
        </Link>
      )}
    </span>
  );
};

type ChoiceProps = {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChoose: (value: string) => void;
};

const Choice = ({ label, value, options, onChoose }: ChoiceProps): ReactNode => (
  <span className={styles.choice} data-opens>
    <select aria-label={label} value={value} onChange={(event) => onChoose(event.target.value)}>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  </span>
);
