// Makes sure that the tests find a PostgreSQL 15, the oldest version that the gateway runs on, and PgBouncer. Plain
// JavaScript, like install.mjs, which calls it.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { aptLog, aptUnpack, hasApt, wasTried, wrapPrograms } from './apt.mjs';

const postgres15 = '/usr/lib/postgresql/15/bin';
const pgBouncer = '/usr/sbin/pgbouncer';
const packages = ['postgresql-15', 'pgbouncer'];
/** Outside the system: installed packages would make a cluster, and start it and a pooler at each boot. */
const cache = '/var/cache/florin/postgresql-15';
const programs = [`${postgres15}/postgres`, `${postgres15}/initdb`, pgBouncer];

const hasPostgres = (path) => ['postgres', 'initdb'].every((name) => existsSync(join(path, name)));

/** The directory of the programs of a PostgreSQL 15 on this machine, or undefined. */
export function findPostgres15() {
  const places = [process.env.POSTGRES_15_BIN, postgres15, join(cache, 'bin')];
  return places.find((path) => path !== undefined && hasPostgres(path));
}

/** The path of PgBouncer on this machine, or undefined. */
export function findPgBouncer() {
  const places = [process.env.PGBOUNCER, pgBouncer, join(cache, 'bin', 'pgbouncer')];
  return places.find((path) => path !== undefined && existsSync(path));
}

const isThere = () => findPostgres15() !== undefined && findPgBouncer() !== undefined;

/** Unpacks both by apt where possible, without installing them. Else it says what to install; other tests run anyway. */
export function ensurePostgres15() {
  if (isThere() || (hasApt() && !wasTried(packages.join(' ')) && unpackWithApt())) return;
  console.log(
    `The tests on PostgreSQL 15 and of PgBouncer are not run, or one of them: install ${packages.join(' and ')} (their ` +
      'names in Debian 12), or set POSTGRES_15_BIN to the directory of its programs and PGBOUNCER to its path.',
  );
}

function unpackWithApt() {
  console.log('Unpacking PostgreSQL 15 and PgBouncer for their tests (once, at most 250 MB) ...');
  const partial = `${cache}.${process.pid}`;
  try {
    if (aptUnpack(packages, partial) && wrapPrograms(partial, programs)) {
      rmSync(cache, { recursive: true, force: true });
      renameSync(partial, cache);
      if (isThere()) return true;
    }
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  console.log(`apt-get could not bring them; its output is in ${aptLog}.`);
  return false;
}
