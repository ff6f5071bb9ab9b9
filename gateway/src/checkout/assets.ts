import { loadScripts, loadStyle, type PageFile } from '../kit/pages/page-files.ts';

/** Joined in this order: later rules win. */
export const STYLES = [
  'tokens.css',
  'test-banner.css',
  ...[
    'layout',
    'frame',
    'state',
    'actions',
    'methods',
    'destination',
    'memo',
    'in-browser',
    'details',
    'owed',
    'media',
  ].map((name) => `checkout/styles/${name}.css`),
];

/** The page for frames has a sheet of its own, in place of that of the page: others need not load what only it shows. */
const FRAME_STYLES = [...STYLES, 'checkout/styles/framed.css'];

/** The pages of proof statements; wallets have one too. */
export const PROOF_STYLE = 'checkout/styles/proof.css';

/** A receipt, on the screen and on paper. */
const RECEIPT_STYLES = ['tokens.css', 'checkout/receipt/receipt.css', 'checkout/receipt/paper.css'];

/** Modules in the order of their imports. */
const SCRIPTS = ['dom', 'times', 'clocks', 'copy', 'forms', 'swap', 'live', 'open-wallet', 'page'].map(
  (name) => `checkout/${name}.ts`,
);

/** A script of its own, imported by the page's script where a browser wallet can pay. It exports what its last module does. */
const WALLET_SCRIPTS = 'dom times elements order providers memory sent wallet-status wallet'
  .split(' ')
  .map((name) => `checkout/${name}.ts`);

/** What the wallet script imports when the button is pressed: it asks the wallet for the transfer. */
const TRANSFER_SCRIPTS = ['problem', 'transfer'].map((name) => `checkout/${name}.ts`);

/** For a claim that is shown once more; the page loads it alone. */
const SIGN_SCRIPTS = ['dom', 'elements', 'problem', 'providers', 'sign'].map((name) => `checkout/${name}.ts`);

/** The same for payments with Pi's SDK. */
const PI_SCRIPTS = [
  'dom',
  'elements',
  'memory',
  'pi-order',
  'pi-sdk',
  'pi-calls',
  'sent',
  'pi-status',
  'pi',
].map((name) => `checkout/${name}.ts`);

/** What checks a proof statement, as the command line does. */
export const PROOF_SCRIPTS = [
  ...['bytes', 'fault', 'sha256', 'keccak', 'secp256k1', 'tree'],
  ...['statement', 'check', 'check-chain', 'page'],
].map((name) => `proof/${name}.ts`);

/** What shops load, by the address below the gateway's own. Their pages name these addresses, so they never change. */
const SHOP_SCRIPTS = {
  '/florin.js': ['pop-up', 'florin'],
  '/modal/btcpay.js': ['pop-up', 'btcpay'],
};

/**
 * What the page loads beside its HTML: one style sheet, which frames have with more, one script, another script for each way to pay in the browser, one
 * that a wallet script needs to pay, one that signs a claim, one that checks a proof statement, and one for frames. Receipts have a style sheet and a script of
 * their own.
 */
export type CheckoutAssets = Record<
  | ('style' | 'frameStyle' | 'proofStyle' | 'script' | 'wallet' | 'transfer' | 'pi' | 'sign' | 'frame')
  | ('receiptStyle' | 'receiptScript' | 'proof'),
  PageFile
>;

type Eight = [PageFile, PageFile, PageFile, PageFile, PageFile, PageFile, PageFile, PageFile];

/**
 * Reads what the page loads. Called once at start; throws when a file is missing.
 * @param payPath path of the hosted page, below which the files are served
 */
export async function loadAssets(payPath: string): Promise<CheckoutAssets> {
  const [style, frameStyle, proofStyle, receiptStyle, scripts] = await Promise.all([
    loadStyle(payPath, 'page', STYLES),
    loadStyle(payPath, 'frame', FRAME_STYLES),
    loadStyle(payPath, 'proof', [...STYLES, PROOF_STYLE]),
    loadStyle(payPath, 'receipt', RECEIPT_STYLES),
    loadScripts(payPath, [
      { name: 'page', files: SCRIPTS },
      { name: 'wallet', files: WALLET_SCRIPTS, isImported: true },
      { name: 'transfer', files: TRANSFER_SCRIPTS, isImported: true },
      { name: 'pi', files: PI_SCRIPTS, isImported: true },
      { name: 'sign', files: SIGN_SCRIPTS },
      { name: 'frame', files: ['checkout/frame/frame.ts'] },
      { name: 'receipt', files: ['checkout/receipt/print.ts'] },
      { name: 'proof', files: PROOF_SCRIPTS },
    ]),
  ]);
  const [script, wallet, transfer, pi, sign, frame, receiptScript, proof] = scripts as Eight;
  const styles = { style, frameStyle, proofStyle, receiptStyle };
  return { ...styles, script, wallet, transfer, pi, sign, frame, receiptScript, proof };
}

/**
 * Reads the scripts that shops load, each with its address; throws when a file is missing.
 * @param payOrigin where the hosted page is
 */
export async function loadShopScripts(payOrigin: string): Promise<[path: string, file: PageFile][]> {
  const entries = Object.entries(SHOP_SCRIPTS);
  const scripts = entries.map(([, names]) => ({
    name: names.at(-1) ?? '',
    files: names.map((name) => `checkout/frame/${name}.ts`),
    isForOthers: true,
    filled: { '{payOrigin}': payOrigin },
  }));
  const files = await loadScripts('', scripts);
  return files.map((file, index) => [entries[index]?.[0] ?? '', file]);
}
