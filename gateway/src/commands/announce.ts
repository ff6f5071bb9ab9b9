import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Demo } from '../demo.ts';

/** What the terminal shows when the gateway serves: one line for programs, and a table for people. */
export function announce(config: Config, demo: Demo | null): string {
  const rows: [string, string][] = [
    ['Dashboard', `${config.baseUrl}/app/`],
    ['API', config.baseUrl],
    ['API reference', `${config.baseUrl}/reference`],
    ['Hosted page', config.payUrl],
  ];
  if (demo) {
    const { file } = demo;
    rows.push(
      ['Demo shop', file.shop_url],
      ['Test key', file.secret_key],
      ...[file.merchant, file.operator].map(({ email, password }): [string, string] => [email, password]),
      ...file.users.map(({ username, password }): [string, string] => [`Wallet of ${username}`, password]),
      ['All of these', join(config.dataDir, 'demo.json')],
    );
  }
  const width = Math.max(...rows.map(([name]) => name.length));
  const table = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
  return `Florin is ready at ${config.baseUrl}\n\n${table}\n\n`;
}
