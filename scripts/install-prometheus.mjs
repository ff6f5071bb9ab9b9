// Makes sure that the tests find promtool, which checks the alert rules. Plain JavaScript, like install.mjs, which calls it.
import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { aptLog, aptUnpack, hasApt, wasTried } from './apt.mjs';

const promtool = '/usr/bin/promtool';
/** Outside the system: an installed package would start a Prometheus at each boot. */
const cache = '/var/cache/florin/prometheus';

/** The path of promtool on this machine, or undefined. */
export function findPromtool() {
  const places = [process.env.PROMTOOL, promtool, join(cache, promtool)];
  return places.find((path) => path !== undefined && existsSync(path));
}

/** Unpacks it by apt where possible, without installing it. Else it says what to install; other tests run anyway. */
export function ensurePromtool() {
  if (findPromtool() || (hasApt() && !wasTried('prometheus') && unpackWithApt())) return;
  console.log(
    'Alert rules are not checked: install prometheus (its name in Debian), or set PROMTOOL to the path of promtool.',
  );
}

function unpackWithApt() {
  console.log('Unpacking promtool for the tests of the alert rules (once, 22 MB) ...');
  const partial = `${cache}.${process.pid}`;
  try {
    // promtool needs no library beside that of C, so that of what the package needs nothing is unpacked.
    const isThere = aptUnpack(['prometheus'], partial, 'prometheus_');
    if (isThere && spawnSync(join(partial, promtool), ['--version']).status === 0) {
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
