import { useState } from 'react';
import { readIdInput } from './id-input.ts';

export type IdField = {
  readonly text: string;
  /** A bot token was put into the field, and taken out at once. */
  readonly tokenSeen: boolean;
  readonly type: (typed: string) => void;
};

export const useIdField = (): IdField => {
  const [text, setText] = useState('');
  const [tokenSeen, setTokenSeen] = useState(false);
  return {
    text,
    tokenSeen,
    type: (typed) => {
      const input = readIdInput(typed);
      setTokenSeen(input.kind === 'bot-token');
      setText(input.kind === 'text' ? input.text : '');
    },
  };
};
