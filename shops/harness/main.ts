// `npm run shops -- woocommerce --wordpress DIR`: plays the stories of a plug-in in a real shop and a real browser, and ends
// with `N passed, N failed`. Pictures are in screenshots/shops.
import { existsSync, globSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { missingForShops } from '../../scripts/install-shops.mjs';
import { runTests } from '../../scripts/run-tests.ts';

// Those of one plug-in begin with its name: `woocommerce.story.ts`, `woocommerce-faults.story.ts`.
const stories = globSync('stories/*.story.ts', { cwd: import.meta.dirname });
const names = [...new Set(stories.map((path) => basename(path).split(/[-.]/)[0]!))].sort();
const usage = `Usage:
  npm run shops -- woocommerce --wordpress DIR
  npm run shops -- door --wordpress DIR --plugin DIR [--client DIR]
--wordpress  a whole WordPress with WooCommerce in wp-content/plugins
--plugin     BTCPay's plug-in for WooCommerce
--client     BTCPay's PHP client, where the plug-in has no vendor/ of its own
They are copied, and stay as they are.`;

type Given = { wordpress: string | undefined; plugin: string | undefined; client: string | undefined };

/** Why no shop can be opened; undefined: one can. */
function whyNot(name: string, { wordpress, plugin: btcpay }: Given): string | undefined {
  if (!wordpress) return 'no --wordpress DIR was given';
  const plugin = join(wordpress, 'wp-content/plugins/woocommerce/woocommerce.php');
  if (!existsSync(plugin)) return `there is no WooCommerce: ${plugin}`;
  if (name === 'door' && !btcpay) return 'no --plugin DIR was given';
  const missing = missingForShops();
  return missing.length > 0 ? `${missing.join(' and ')} must be installed` : undefined;
}

async function main(): Promise<void> {
  const option = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    options: { wordpress: option, plugin: option, client: option },
    allowPositionals: true,
  });
  const [name = ''] = positionals;
  if (positionals.length !== 1 || !names.includes(name)) throw new Error(usage);
  // npm runs this in the repository's folder, whatever folder the person is in.
  const at = (path: string | undefined) => path && resolve(process.env.INIT_CWD ?? '.', path);
  const given = { wordpress: at(values.wordpress), plugin: at(values.plugin), client: at(values.client) };
  const reason = whyNot(name, given);
  const args = ['--config', 'shops/harness/vitest.config.ts', `stories/${name}`];
  const places = [
    ['SHOPS_WORDPRESS', given.wordpress],
    ['SHOPS_PLUGIN', given.plugin],
    ['SHOPS_CLIENT', given.client],
  ];
  const shop = reason === undefined ? Object.fromEntries(places.filter(([, path]) => path)) : {};
  const { passed, failed, notRun } = await runTests(args, { ...shop, PICTURES: '1' });
  if (notRun.length > 0) console.log(`\n${notRun.join('\n')}`);
  if (reason) console.log(`They were not run, since ${reason}.`);
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
