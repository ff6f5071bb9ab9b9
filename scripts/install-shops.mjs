// Installs what a shop needs: PHP and MariaDB. Plain JavaScript, like install.mjs, which calls it.
import { spawnSync } from 'node:child_process';
import { apt, aptInstall, hasApt } from './apt.mjs';

const extensions = ['mysql', 'curl', 'mbstring', 'xml', 'intl', 'zip', 'gd', 'bcmath'];
const packages = ['php-cli', ...extensions.map((name) => `php-${name}`), 'mariadb-server'];

const isMissing = (program, ...args) => {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  return spawnSync(program, args, { env, stdio: 'ignore' }).status !== 0;
};

const needed = {
  PHP: () => isMissing('php', '-r', 'exit(extension_loaded("mysqli") && extension_loaded("curl") ? 0 : 1);'),
  MariaDB: () => isMissing('mariadbd', '--version'),
};

/** Those of them that this machine lacks. */
export const missingForShops = () => Object.keys(needed).filter((name) => needed[name]());

/** Installs them by apt where possible. */
export function ensureShops() {
  if (missingForShops().length === 0 || !hasApt()) return;
  apt('update');
  aptInstall(packages);
}
