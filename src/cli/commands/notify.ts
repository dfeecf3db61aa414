import { machineName } from '#server/open-records.ts';
import { sendNotice } from '#server/notices/receiver.ts';
import type { RunCommand } from '../command.ts';
import { badInput, failed } from '../failure.ts';

export const test: RunCommand = async ({ config, now }) => {
  if (config.notifyUrl === null)
    throw badInput(
      'NOTIFY_URL is not set',
      'set it to a Discord or Slack webhook, an ntfy topic, or your own address.',
    );
  const reason = await sendNotice(config.notifyUrl.reveal(), {
    event: 'test',
    state: 'news',
    text: 'this is a test: messages about problems will arrive here.',
    site: config.brandName,
    server: machineName(config),
    at: now(),
  });
  if (reason !== null) throw failed(`NOTIFY_URL did not take the message: ${reason}`, 'check the address.');
  return { lines: ['The message was sent.'] };
};
