const recovered = new Map<string, Promise<unknown>>();
let tries = 0;

/** Imports with a second try. Some browsers remember a failed module and only fetch it again under another address. */
export const importAgain = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await load();
  } catch (error) {
    const [address] = /https?:\S+\.js/.exec(String(error)) ?? [];
    if (address === undefined) throw error;
    // Recovered once, reused from then on: a module that ran twice would have its state twice.
    const known = recovered.get(address) ?? import(/* @vite-ignore */ `${address}?${(tries += 1)}`);
    recovered.set(address, known);
    known.catch(() => recovered.delete(address));
    return (await known) as T;
  }
};
