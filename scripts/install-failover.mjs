// Makes sure that `npm run failover` finds PostgreSQL 15, Patroni, etcd and HAProxy. Plain JavaScript, like install.mjs, which
// calls it.
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { aptLog, aptUnpack, hasApt, wrapPrograms } from './apt.mjs';

const packages = ['patroni', 'etcd-server', 'haproxy', 'postgresql-15'];
const programs = { patroni: '/usr/bin/patroni', etcd: '/usr/bin/etcd', haproxy: '/usr/sbin/haproxy' };
const postgres = '/usr/lib/postgresql/15/bin';
/** Outside the system: installed packages would start servers at each boot. */
const cache = '/var/cache/florin/failover';

const firstOf = (places) => places.find((path) => existsSync(path));

/** The paths of the programs and of the folder of those of PostgreSQL 15, or undefined where one is not there. */
export function findFailover() {
  const found = Object.entries(programs).map(([name, path]) => [
    name,
    firstOf([path, join(cache, 'bin', name)]),
  ]);
  const folder = [postgres, join(cache, 'bin')].find((path) => existsSync(join(path, 'pg_rewind')));
  const all = [...found, ['postgres', folder]];
  return all.every(([, path]) => path !== undefined) ? Object.fromEntries(all) : undefined;
}

/** Unpacks them by apt where possible, without installing them. Else it says what to install. */
export function ensureFailover() {
  if (findFailover() || (hasApt() && unpackWithApt())) return;
  console.log(`npm run failover needs ${packages.join(', ')} (their names in Debian 12): install them.`);
}

function unpackWithApt() {
  console.log('Unpacking Patroni, etcd, HAProxy and PostgreSQL 15 for failovers (once, at most 250 MB) ...');
  const partial = `${cache}.${process.pid}`;
  try {
    if (
      aptUnpack(packages, partial) &&
      wrapPrograms(partial, [...Object.values(programs), ...ofPostgres(partial)])
    ) {
      rmSync(cache, { recursive: true, force: true });
      renameSync(partial, cache);
      if (findFailover()) return true;
    }
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  console.log(`apt-get could not bring them; its output is in ${aptLog}.`);
  return false;
}

function ofPostgres(root) {
  const folder = join(root, postgres);
  return existsSync(folder) ? readdirSync(folder).map((name) => join(postgres, name)) : [];
}
