// Of the programs in this folder. An older Node understands it.

/** A folder, and nobody else can write to it. */
const isOurs = ({ uid, mode }) => uid === process.getuid?.() && (mode & 0o170022) === 0o040000;

/**
 * Keeps compiled code where nobody else can write: whoever could would run as us. None where there is no such folder.
 * The service manager may have made one for us.
 */
export const keepCompiled = () => {
  const { lstatSync, mkdirSync, statSync } = process.getBuiltinModule('node:fs');
  const { CACHE_DIRECTORY: given, XDG_CACHE_HOME: cache } = process.env;
  const home = given || cache || process.getBuiltinModule('node:os').homedir();
  // One by one: with `recursive` Node never comes back from some folders, /proc for one.
  const folders = given
    ? [given]
    : cache
      ? [`${cache}/whoflake`]
      : [`${home}/.cache`, `${home}/.cache/whoflake`];
  try {
    // Each on the way: in a folder of somebody else's the next one may become another at any time.
    if (!isOurs(statSync(home))) return;
    for (const folder of folders) {
      if (!lstatSync(folder, { throwIfNoEntry: false })) mkdirSync(folder, { mode: 0o700 });
      if (!isOurs(lstatSync(folder))) return;
    }
    process.getBuiltinModule('node:module').enableCompileCache(folders.at(-1));
  } catch {
    // It only takes longer to start.
  }
};
