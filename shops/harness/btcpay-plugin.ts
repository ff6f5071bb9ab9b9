import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { atFileEnd } from '../../gateway/test/suite/endings.ts';

/** BTCPay's plug-in for WooCommerce and its PHP client, from `--plugin` and `--client`; undefined: not given. */
export const btcpay = process.env.SHOPS_PLUGIN
  ? { plugin: process.env.SHOPS_PLUGIN, client: process.env.SHOPS_CLIENT ?? '' }
  : undefined;

/** Loads the plug-in's classes and those of the client beside it, as Composer would. */
const autoloader = `<?php
spl_autoload_register(function ($class) {
    foreach (['BTCPayServer\\\\WC\\\\' => '/../src/', 'BTCPayServer\\\\' => '/client/src/'] as $prefix => $folder) {
        if (strpos($class, $prefix) === 0) {
            $file = __DIR__ . $folder . str_replace('\\\\', '/', substr($class, strlen($prefix))) . '.php';
            if (is_file($file)) { require $file; return; }
        }
    }
});
`;

/** What the script for checkouts of blocks imports: WordPress and WooCommerce have it in these places. */
const places: Record<string, [name: string, handle: string]> = {
  '@wordpress/i18n': ['wp.i18n', 'wp-i18n'],
  '@wordpress/html-entities': ['wp.htmlEntities', 'wp-html-entities'],
  '@woocommerce/blocks-registry': ['wc.wcBlocksRegistry', 'wc-blocks-registry'],
  '@woocommerce/settings': ['wc.wcSettings', 'wc-settings'],
};

/** Compiles that script, as the plug-in's own build does, and names what must be loaded before it. */
async function compileBlocks(folder: string): Promise<void> {
  const source = join(folder, 'index.js');
  const options = ['--jsx', 'react', '--jsxFactory', 'wp.element.createElement', '--target', 'es2022'];
  const alone = [
    '--ignoreConfig',
    '--allowJs',
    '--noCheck',
    '--noResolve',
    '--types',
    '',
    '--module',
    'esnext',
  ];
  await promisify(execFile)('tsc', [...alone, ...options, '--outDir', join(folder, 'made'), source]);
  const compiled = await readFile(join(folder, 'made/index.js'), 'utf8');
  const script = compiled.replaceAll(
    /^import (\{[^}]+\}) from '([^']+)';$/gm,
    (_, names: string, from: string) => {
      const [place] = places[from] ?? [];
      if (!place) throw new Error(`The plug-in imports ${from}, of which nothing is known`);
      return `const ${names} = ${place};`;
    },
  );
  await writeFile(join(folder, 'blocks.js'), `(() => {\n${script}})();\n`);
  const handles = [...Object.values(places).map(([, handle]) => handle), 'wp-element'];
  const list = handles.map((handle) => `'${handle}'`).join(', ');
  await writeFile(
    join(folder, 'blocks.asset.php'),
    `<?php return ['dependencies' => [${list}], 'version' => 'made'];`,
  );
}

/**
 * A copy of the plug-in that can be installed. One of its repository lacks what its release has: an autoloader, the client,
 * and its scripts where they are used. No file of it is changed.
 */
export async function installable({ plugin, client }: NonNullable<typeof btcpay>): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'florin-btcpay-'));
  atFileEnd(() => rm(home, { recursive: true, force: true }));
  await cp(plugin, home, { recursive: true });
  if (!existsSync(join(home, 'vendor/autoload.php'))) {
    await mkdir(join(home, 'vendor'), { recursive: true });
    await cp(join(client, 'src'), join(home, 'vendor/client/src'), { recursive: true });
    await writeFile(join(home, 'vendor/autoload.php'), autoloader);
  }
  if (!existsSync(join(home, 'assets/js'))) {
    for (const folder of ['backend', 'frontend'])
      await cp(join(home, 'resources/js', folder), join(home, 'assets/js', folder), { recursive: true });
    await compileBlocks(join(home, 'assets/js/frontend'));
  }
  return home;
}
