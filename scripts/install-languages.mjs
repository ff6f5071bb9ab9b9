// Installs the languages in which the tests try the SDKs, and what checks the code in them. Plain JavaScript, like install.mjs, which calls it.
import { spawnSync } from 'node:child_process';
import { apt, aptInstall, hasApt } from './apt.mjs';

/** Each language: a command that succeeds where it can be used, and its packages. */
const small = [
  {
    name: 'PHP',
    command: ['php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);'],
    packages: ['php-cli', 'php-curl'],
  },
  { name: 'Python', command: ['python3', '--version'], packages: ['python3'] },
  { name: 'phpcs', command: ['phpcs', '--version'], packages: ['php-codesniffer'] },
];
/** Go takes 460 MB with its standard library: only the soak asks for it, and for the checker of Python's types. */
const large = [
  { name: 'Go', command: ['go', 'version'], packages: ['golang-go'] },
  { name: 'mypy', command: ['mypy', '--version'], packages: ['mypy'] },
];

const isMissing = ({ command: [program, ...args] }) =>
  spawnSync(program, args, { stdio: 'ignore' }).status !== 0;

/** Installs PHP and Python, and Go where it is wanted, by apt where possible. Tests leave out a language that is not there. */
export function ensureLanguages(withGo) {
  const wanted = [...small, ...(withGo ? large : [])];
  const missing = wanted.filter(isMissing);
  if (missing.length === 0) return;
  if (hasApt()) {
    apt('update');
    aptInstall(missing.flatMap(({ packages }) => packages));
  }
  const left = missing.filter(isMissing).map(({ name }) => name);
  if (left.length > 0)
    console.log(`Tests that need ${left.join(' or ')} are not run: install them for that.`);
}
