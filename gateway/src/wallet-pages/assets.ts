import { PROOF_SCRIPTS, PROOF_STYLE, STYLES } from '../checkout/assets.ts';
import { loadScripts, loadStyle, type PageFile } from '../kit/pages/page-files.ts';

/** What the wallet's pages load beside their HTML. */
export type WalletAssets = Record<'style' | 'script' | 'proof', PageFile>;

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
  const [style, scripts] = await Promise.all([
    loadStyle(path, 'wallet', [...STYLES, PROOF_STYLE, ...OWN_STYLES]),
    loadScripts(path, [
      { name: 'wallet', files: SCRIPTS },
      { name: 'proof', files: PROOF_SCRIPTS },
    ]),
  ]);
  const [script, proof] = scripts as [PageFile, PageFile];
  return { style, script, proof };
}
