// Installs the programs by which the tests check the journals of the books. Plain JavaScript, like install.mjs, which calls it.
import { spawnSync } from 'node:child_process';
import { apt, aptInstall, hasApt } from './apt.mjs';

/** The packages, each with its program. */
const programs = { hledger: 'hledger', beancount: 'bean-check' };

const isInstalled = (program) => spawnSync(program, ['--version']).error === undefined;

/** Installs hledger and Beancount by apt where possible. Tests leave out the checks of a program that is not there. */
export function ensureAccounting() {
  const missing = Object.keys(programs).filter((name) => !isInstalled(programs[name]));
  if (missing.length === 0) return;
  if (hasApt()) {
    apt('update');
    aptInstall(missing);
  }
  const left = missing.filter((name) => !isInstalled(programs[name]));
  if (left.length > 0)
    console.log(`Journals are not checked by ${left.join(' and ')}: install them for that.`);
}
