// Makes sure that the tests find a PostgreSQL 15, the oldest version that the gateway runs on. Plain JavaScript, like
// install.mjs, which calls it.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apt, aptInstall, aptLog, hasApt, logged, wasTried } from './apt.mjs';

const packageName = 'postgresql-15';
/** Beside the system: the package itself would make a cluster and start it at each boot. */
const cache = '/var/cache/florin/postgresql-15';
const needed = ['postgres', 'initdb'];

const places = [process.env.POSTGRES_15_BIN, '/usr/lib/postgresql/15/bin', join(cache, 'bin')];

/** The directory of the programs of a PostgreSQL 15 on this machine, or undefined. */
export function findPostgres15() {
  return places.find((path) => path !== undefined && needed.every((name) => existsSync(join(path, name))));
}

/** Unpacks PostgreSQL 15 by apt where possible, and installs nothing. Else says what to install; the other tests run. */
export function ensurePostgres15() {
  if (findPostgres15() || (hasApt() && !wasTried(packageName) && unpackWithApt())) return;
  console.log(
    `The tests on PostgreSQL 15 are not run: install ${packageName} (its name in Debian 12), or set POSTGRES_15_BIN to ` +
      'the directory of its programs.',
  );
}

function unpackWithApt() {
  console.log('Unpacking PostgreSQL 15 for its tests (once, about 250 MB) ...');
  const partial = `${cache}.${process.pid}`;
  const archives = join(partial, 'archives');
  try {
    mkdirSync(join(archives, 'partial'), { recursive: true, mode: 0o755 });
    // An update that fails in part may still have loaded the lists that are needed.
    apt('update');
    const isLoaded = aptInstall([packageName], '--download-only', '-o', `Dir::Cache::archives=${archives}`);
    const isUnpacked =
      isLoaded &&
      readdirSync(archives)
        .filter((name) => name.endsWith('.deb'))
        .every((name) => logged('dpkg-deb', '-x', join(archives, name), partial));
    if (isUnpacked && isRunning(partial)) {
      rmSync(archives, { recursive: true });
      rmSync(cache, { recursive: true, force: true });
      renameSync(partial, cache);
      return true;
    }
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  console.log(`apt-get could not bring it; its output is in ${aptLog}.`);
  return false;
}

/** Makes programs that find the libraries beside them, and tries one. */
function isRunning(root) {
  mkdirSync(join(root, 'bin'));
  for (const name of needed) {
    const path = join(root, 'bin', name);
    writeFileSync(
      path,
      `#!/bin/sh
root=$(dirname "$(dirname "$0")")
LD_LIBRARY_PATH=$(echo "$root"/usr/lib/*-linux-gnu*):$root/usr/lib
export LD_LIBRARY_PATH
exec "$root/usr/lib/postgresql/15/bin/${name}" "$@"
`,
    );
    chmodSync(path, 0o755);
  }
  return needed.every((name) => spawnSync(join(root, 'bin', name), ['--version']).status === 0);
}
