import type { ReactNode } from 'react';
import { Notice } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';

type NotFoundNoticeProps = {
  readonly id: string;
  readonly createdUtc: string;
  readonly platformName: string;
};

export const NotFoundNotice = ({ id, createdUtc, platformName }: NotFoundNoticeProps): ReactNode => (
  <Notice tone="warning">
    <p>
      No profile was found for {id}. {platformName} reports that the snowflake was created at:{' '}
      <Time iso={createdUtc} />
    </p>
  </Notice>
);
