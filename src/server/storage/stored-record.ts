import { isRecord, parseJson } from '#shared/json.ts';

/** As far from 1970 as dates go. */
const FARTHEST_MS = 8.64e15;

const isNumber = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) <= FARTHEST_MS;

const isFieldLike = (field: unknown, model: unknown): boolean => {
  if (field === null) return typeof model !== 'number' && !Array.isArray(model);
  if (Array.isArray(model)) return Array.isArray(field) && field.every(isNumber);
  return typeof model === 'string' ? typeof field === 'string' : isNumber(field);
};

/** Whether a record has all fields of the model, each of its kind; only lists and numbers may not be null. Others are numbers. */
export const isLike = (record: unknown, model: Readonly<Record<string, unknown>>): boolean =>
  isRecord(record) &&
  Object.keys({ ...model, ...record }).every((name) => isFieldLike(record[name], model[name] ?? null));

export type ReadRecord = ReturnType<typeof createReadRecord>;

/** What cannot be read counts as new: an odd row ends no server. An empty text is new. */
export const createReadRecord =
  (onUnreadable: (name: string) => void) =>
  <T>(name: string, text: unknown, isWhole: (record: unknown) => boolean, fresh: T): T => {
    if (typeof text !== 'string' || text === '') return fresh;
    const record = parseJson(text);
    if (isWhole(record)) return record as T;
    onUnreadable(name);
    return fresh;
  };
