import { STYLES } from '../checkout/assets.ts';
import { loadScript, loadStyle, type PageFile } from '../kit/pages/page-files.ts';

/** What the wallet's pages load beside their HTML. */
export type WalletAssets = Record<'style' | 'script', PageFile>;

const SCRIPTS = [
  ...[
    'checkout/dom.ts',
    'checkout/copy.ts',
    'checkout/forms.ts',
    'checkout/show-password.ts',
    'passwords.ts',
  ],
  ...['strength', 'passkeys', 'install', 'older', 'page'].map((name) => `wallet/${name}.ts`),
];

const OWN_STYLES = ['fields', 'wallet', 'money'].map((name) => `wallet/${name}.css`);

/** Reads and compresses the files; throws when one is missing. */
export async function loadWalletAssets(path: string): Promise<WalletAssets> {
  const [style, script] = await Promise.all([
    loadStyle(path, 'wallet', [...STYLES, ...OWN_STYLES]),
    loadScript(path, { name: 'wallet', files: SCRIPTS }),
  ]);
  return { style, script };
}
