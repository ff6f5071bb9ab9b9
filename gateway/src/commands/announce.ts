import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Demo } from '../demo/seed.ts';
import type { SetupLink } from '../identity/setup/setup-link.ts';
import type { Role } from './serving/options.ts';

const howToPayOnChain = `The coins of the demo chain are worth nothing. To pay with them: import the payer's key into a browser wallet,
or take coins on the hosted page; the page adds the network to the wallet.

`;

const howToPayInPi = `The coins of the demo Pi network are worth nothing. Its wallet holds some; the hosted page leads there.

`;

const howToSetUp = `Nobody runs this installation yet. Open the link to set it up, or to restore a backup; who has it can do that, and
it ends with the first operator. A new one: florin setup-link

`;

/** The link of the first run. No request sends what follows the #. */
export const setupAddress = (baseUrl: string, { token }: SetupLink): string =>
  `${baseUrl}/app/setup#${token}`;

export type Announced = {
  config: Config;
  demo: Demo | null;
  /** Null: there is an operator. */
  setupLink: SetupLink | null;
};

/** What the terminal shows when the gateway is ready: one line for programs, and a table for people. */
export function announce({ config, demo, setupLink }: Announced, role: Role): string {
  if (role === 'worker') return 'Florin is ready; it serves no API and works for those that do\n';
  const rows: [string, string][] = [
    ['Dashboard', `${config.baseUrl}/app/`],
    ['API', config.baseUrl],
    ['Docs', `${config.baseUrl}/docs/`],
    ['API reference', `${config.baseUrl}/reference/`],
    ['Hosted page', config.payUrl],
  ];
  if (setupLink) {
    rows.push(['Set up', setupAddress(config.baseUrl, setupLink)]);
    rows.push(['Good until', setupLink.expiresAt.toISOString()]);
  }
  if (demo) {
    const { file } = demo;
    rows.push(
      ['Demo shop', file.shop_url],
      ['Test key', file.secret_key],
      ...[file.merchant, file.operator].map(({ email, password }): [string, string] => [email, password]),
      ...file.users.map(({ username, password }): [string, string] => [`Wallet of ${username}`, password]),
    );
    if (file.chain) {
      rows.push(
        ['Demo chain', `${file.chain.rpc_url}, chain id ${file.chain.chain_id}, symbol DEMO`],
        ['Demo chain payer', file.chain.payer_private_key],
      );
    }
    if (file.own_wallet) {
      rows.push(
        ['Key, own wallet', file.own_wallet.live_secret_key],
        ['Own wallet', `${file.own_wallet.address}, where its payments arrive`],
        ['Its key', file.own_wallet.private_key],
      );
    }
    if (file.test_chain) {
      rows.push(
        [
          'Demo test chain',
          `${file.test_chain.rpc_url}, chain id ${file.test_chain.chain_id}, for test keys`,
        ],
        ['Demo test payer', file.test_chain.payer_private_key],
      );
    }
    if (file.pi) {
      rows.push(
        ['Demo Pi wallet', `${file.pi.horizon_url}/wallet`],
        ['Demo Pi network', `${file.pi.horizon_url}, "${file.pi.network_passphrase}"`],
        ['Demo Pi payer', file.pi.payer_secret],
      );
    }
    rows.push(['All of these', join(config.dataDir, 'demo.json')]);
  }
  const width = Math.max(...rows.map(([name]) => name.length));
  const table = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
  return `Florin is ready at ${config.baseUrl}\n\n${table}\n\n${setupLink ? howToSetUp : ''}${demo?.file.chain ? howToPayOnChain : ''}${demo?.file.pi ? howToPayInPi : ''}`;
}
