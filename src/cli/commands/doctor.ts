import type { Command } from '../command.ts';
import type { Examination } from '../examinations/examination.ts';
import { examineRecords } from '../examinations/records.ts';
import { examineSurroundings } from '../examinations/surroundings.ts';
import { plural, table } from '../output.ts';

export const doctor: Command = {
  name: 'doctor',
  summary: 'looks for what is wrong and says how to mend it; changes nothing',
  run: async (context) => {
    const examinations: Examination[] = [
      { what: 'settings', finding: 'every one can be used' },
      ...(await examineRecords(context)),
      ...(await examineSurroundings(context)),
    ];
    const problems = examinations.filter(({ mend }) => mend !== undefined).length;
    return {
      data: { problems, examinations },
      lines: [
        ...table(
          ['STATE', 'WHAT', 'FINDING'],
          examinations.map(({ what, finding, mend }) => [
            mend === undefined ? 'ok' : 'problem',
            what,
            finding,
          ]),
        ),
        ...examinations.flatMap(({ what, mend }) =>
          mend === undefined ? [] : [`Mend the ${what}: ${mend}`],
        ),
        problems === 0 ? 'Nothing is wrong.' : `${plural(problems, 'problem')}.`,
      ],
      exitCode: problems === 0 ? 0 : 1,
    };
  },
};
