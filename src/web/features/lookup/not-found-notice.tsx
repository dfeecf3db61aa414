import type { ReactNode } from 'react';
import { useEnvironment } from '../../environment.ts';
import { notFoundNotice as texts } from '../../texts/lookup/flow.ts';
import { NoticePanel } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './not-found-notice.module.css';

type NotFoundNoticeProps = { readonly id: string; readonly createdUtc: string };

export const NotFoundNotice = ({ id, createdUtc }: NotFoundNoticeProps): ReactNode => (
  <NoticePanel tone="warning">
    <h2>{texts.title}</h2>
    <p>
      {texts.notFound(id, useEnvironment().site)} <Time iso={createdUtc} />
    </p>
    <p>{texts.causesTitle}</p>
    <ul className={styles.causes}>
      {texts.causes.map((cause) => (
        <li key={cause}>{cause}</li>
      ))}
    </ul>
  </NoticePanel>
);
