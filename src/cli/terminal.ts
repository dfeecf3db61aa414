import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';

export type Terminal = {
  readonly isInteractive: boolean;
  readonly ask: (question: string) => Promise<string>;
  readonly askSecret: (question: string) => Promise<string>;
  readonly readInput: () => Promise<string>;
  /** A line that the next one overwrites. Not printed unless there is a terminal. */
  readonly progress: (line: string) => void;
};

type Streams = Pick<NodeJS.Process, 'stdin' | 'stderr'>;

/** Questions go to standard error: standard output is for results. */
export const createTerminal = ({ stdin, stderr }: Streams): Terminal => {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = async (question: string, output: NodeJS.WritableStream): Promise<string> => {
    // This turns off the terminal's echo, so the question is written after it.
    const lines = createInterface({ input: stdin, output, terminal: true });
    if (output === nowhere) stderr.write(question);
    try {
      return await lines.question(question);
    } catch (error) {
      // Ctrl-C, or the end of the input: no answer.
      if ((error as Error).name !== 'AbortError') throw error;
      return '';
    } finally {
      lines.close();
    }
  };
  return {
    isInteractive: stdin.isTTY && stderr.isTTY,
    ask: (question) => prompt(question, stderr),
    askSecret: async (question) => {
      const answer = await prompt(question, nowhere);
      stderr.write('\n');
      return answer;
    },
    readInput: () => text(stdin),
    progress: (line) => {
      if (stderr.isTTY) stderr.write(`\r\u001B[K${line}`);
    },
  };
};
