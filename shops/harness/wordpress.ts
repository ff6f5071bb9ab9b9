import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import { freePorts } from '../../gateway/test/support/free-ports.ts';
import { startMariaDb } from './mariadb.ts';

/** A WordPress that runs, made from a tree that stays as it is. */
export type WordPress = {
  url: string;
  /** Runs PHP inside of it, and returns what that prints. */
  php(code: string): Promise<string>;
  /** What PHP wrote of faults. */
  log(): string;
  stop(): Promise<void>;
};

const admin = { name: 'merchant', password: 'correct horse battery staple', email: 'merchant@example.com' };

export { admin };

const text = (value: string): string => `'${value.replace(/[\\']/g, '\\$&')}'`;

/** The configuration of a WordPress at this address; nothing of it asks another machine for anything. */
function configuration(url: string, socket: string): string {
  return `<?php
define('DB_NAME', 'shop'); define('DB_USER', 'root'); define('DB_PASSWORD', '');
define('DB_HOST', ${text(`localhost:${socket}`)}); define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
define('WP_HOME', ${text(url)}); define('WP_SITEURL', ${text(url)});
foreach (['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT'] as $name) define($name, $name);
define('WP_DEBUG', true); define('WP_DEBUG_DISPLAY', false); define('WP_DEBUG_LOG', false);
define('DISABLE_WP_CRON', true); define('AUTOMATIC_UPDATER_DISABLED', true); define('WP_AUTO_UPDATE_CORE', false);
define('WP_HTTP_BLOCK_EXTERNAL', true); define('WP_ACCESSIBLE_HOSTS', '127.0.0.1,localhost');
ini_set('log_errors', '1'); ini_set('error_log', 'php://stderr');
$table_prefix = 'wp_';
defined('ABSPATH') || define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;
}

/** Copies the tree, puts plug-ins into it (their folders' names, and where they are), installs WordPress and serves it on loopback. */
export async function startWordPress(tree: string, plugins: Record<string, string>): Promise<WordPress> {
  const database = await startMariaDb();
  const home = await mkdtemp(join(tmpdir(), 'florin-wordpress-'));
  await cp(tree, home, { recursive: true, dereference: true });
  for (const [name, plugin] of Object.entries(plugins))
    await cp(plugin, join(home, 'wp-content/plugins', name), { recursive: true });
  const [port] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  await writeFile(join(home, 'wp-config.php'), configuration(url, database.socket));
  let log = '';
  const server = spawn(
    'php',
    ['-d', 'memory_limit=512M', '-d', 'upload_tmp_dir=/tmp', '-S', `127.0.0.1:${port}`, '-t', home],
    {
      env: { ...process.env, PHP_CLI_SERVER_WORKERS: '6' },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    },
  );
  server.stderr.setEncoding('utf8').on('data', (line: string) => {
    log += line;
  });
  const ended = once(server, 'close');
  async function php(code: string): Promise<string> {
    const program = `define('WP_USE_THEMES', false); $_SERVER['HTTP_HOST'] = '127.0.0.1:${port}'; ${code}`;
    const { stdout } = await promisify(execFile)('php', ['-d', 'memory_limit=512M', '-r', program], {
      cwd: home,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  }
  await php(`define('WP_INSTALLING', true); require 'wp-load.php'; require 'wp-admin/includes/upgrade.php';
    wp_install('Nib & Folio', ${text(admin.name)}, ${text(admin.email)}, true, '', ${text(admin.password)});`);
  await vi.waitUntil(async () => (await fetch(`${url}/wp-login.php`).catch(() => undefined))?.ok, {
    timeout: 120_000,
    interval: 500,
  });
  return {
    url,
    php: (code) => php(`require 'wp-load.php'; ${code}`),
    log: () => log,
    async stop() {
      // Its workers are processes of their own, in its group.
      process.kill(-server.pid!, 'SIGTERM');
      await ended;
      await database.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}
