import type { ReactNode } from 'react';
import { useEnvironment } from '../../environment.ts';
import { NoticePanel } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './not-found-notice.module.css';

type NotFoundNoticeProps = { readonly id: string; readonly createdUtc: string };

export const NotFoundNotice = ({ id, createdUtc }: NotFoundNoticeProps): ReactNode => (
  <NoticePanel tone="warning">
    <h2>Nobody has this ID</h2>
    <p>
      No profile was found for {id}. {useEnvironment().site.platformName} reports that the snowflake was
      created at: <Time iso={createdUtc} />
    </p>
    <p>This is usually one of these:</p>
    <ul className={styles.causes}>
      <li>The ID belongs to a server, a channel, a role or a message, not to a user.</li>
      <li>The account was deleted long ago.</li>
      <li>A digit is wrong or missing. Check it against the original.</li>
    </ul>
  </NoticePanel>
);
