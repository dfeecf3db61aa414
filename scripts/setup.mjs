// It runs before anything is installed. A Node older than 20 understands this file, but not those that it imports.
// Usage: node scripts/setup.mjs [once] [build] [browser] [browsers] [proxies] [stores] [oldest] [monitoring]
if (Number.parseInt(process.version.slice(1), 10) < 20) {
  process.stderr.write(
    `Whoflake needs Node 20 or newer, but this is ${process.version}: npm install --global --prefix=/usr/local node@24\n`,
  );
  process.exit(1);
}
import('./prepare.mjs')
  .then(({ prepare }) => prepare(new Set(process.argv.slice(2))))
  .catch(({ message, isSentence = false }) => {
    process.stderr.write(`${isSentence ? '' : 'The setup failed: '}${message}\n`);
    process.exitCode = 1;
  });
