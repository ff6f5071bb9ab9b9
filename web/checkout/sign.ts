/**
 * Signing with a browser wallet where a claim goes. Loaded by the page that shows a claim once more. It fills in the
 * signature that its customer could also paste, and sends nothing.
 */
import { byId } from './dom.ts';
import { buttonOf, line } from './elements.ts';
import { codeOf, isRefused } from './problem.ts';
import { discoverWallets, foundWallets, type Provider, type Wallet } from './providers.ts';

/** What to sign, and the texts to show, as the server wrote them into the page. */
type Signing = {
  statement: string;
  /** The addresses whose signature counts, in lower case. */
  signers: string[];
  words: Record<'signWith' | 'unnamed' | 'other' | 'declined' | 'unanswered' | 'trouble' | 'signed', string>;
};

const proof = byId('proof');
const signing = JSON.parse(proof?.dataset.signing ?? '{}') as Signing;
let isAsking = false;

function drawWallets(): void {
  const wallets = foundWallets(signing.words.unnamed);
  byId('proof-wallets')?.replaceChildren(...wallets.map(walletButton));
}

function walletButton(wallet: Wallet, index: number): HTMLElement {
  const text = signing.words.signWith.replace('{wallet}', () => wallet.name);
  return buttonOf(`proof-wallet-${index}`, () => void sign(wallet.provider), text);
}

async function sign(provider: Provider): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  try {
    const accounts = (await provider.request({ method: 'eth_requestAccounts' })) as string[];
    const account = accounts.find((each) => signing.signers.includes(each.toLowerCase()));
    if (account === undefined) {
      say(
        'problem',
        signing.words.other.replace('{account}', () => accounts[0] ?? ''),
      );
      return;
    }
    const params = [hexOf(signing.statement), account];
    const signature = await provider.request({ method: 'personal_sign', params });
    const field = byId<HTMLTextAreaElement>('signature');
    if (field) field.value = String(signature);
    say('sent', signing.words.signed);
  } catch (thrown) {
    say('problem', reasonOf(thrown));
  } finally {
    isAsking = false;
  }
}

function reasonOf(thrown: unknown): string {
  const { words } = signing;
  const code = codeOf(thrown);
  if (isRefused(thrown)) return words.declined;
  if (code === -32002) return words.unanswered;
  const message = (thrown as { message?: unknown } | null)?.message;
  const text = typeof message === 'string' ? message.trim().slice(0, 160) : '';
  return words.trouble.replace('{problem}', () => text || String(code));
}

function say(className: string, text: string): void {
  byId('proof-status')?.replaceChildren(line(className, text));
}

/** A text as wallets take it: its bytes in hexadecimal. */
function hexOf(text: string): string {
  const bytes = [...new TextEncoder().encode(text)];
  return `0x${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

discoverWallets(drawWallets);
drawWallets();
