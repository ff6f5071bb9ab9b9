type Provider = { request(call: { method: string; params?: unknown[] }): Promise<unknown> };

/** The wallet in this browser (EIP-1193); undefined: there is none. */
export const browserWallet = (): Provider | undefined =>
  (globalThis as unknown as { ethereum?: Provider }).ethereum;

/** A transfer of a token out of an own address, as the gateway prepared it. */
export type TransferToSend = { chain_id: number; token: string; from: string; data: string };

const codeOf = (thrown: unknown): unknown => (thrown as { code?: unknown } | null)?.code;
/** EIP-1193: its owner declined. */
const declined = 4001;

/** Why a transfer was not sent: the owner declined, or the wallet uses another account or another chain. */
export type NotSent = 'declined' | 'account' | 'chain';

/** Has the wallet in this browser send a transfer; only out of its address and on its chain. Returns null where it was sent. */
export async function sendByBrowser(wallet: Provider, transfer: TransferToSend): Promise<NotSent | null> {
  const { chain_id, token: to, from, data } = transfer;
  const chainId = `0x${chain_id.toString(16)}`;
  try {
    const accounts = await wallet.request({ method: 'eth_requestAccounts' });
    const isOurs = (each: unknown): boolean => `${each}`.toLowerCase() === from.toLowerCase();
    if (!Array.isArray(accounts) || !accounts.some(isOurs)) return 'account';
    if ((await wallet.request({ method: 'eth_chainId' })) !== chainId)
      await wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] });
    // With the chain named here, a wallet that was switched meanwhile refuses.
    await wallet.request({
      method: 'eth_sendTransaction',
      params: [{ from, to, data, value: '0x0', chainId }],
    });
    return null;
  } catch (thrown) {
    return codeOf(thrown) === declined ? 'declined' : 'chain';
  }
}

/** Has the wallet in this browser sign a text with the key of an address (EIP-191). Throws what the wallet throws. */
export async function signByBrowser(wallet: Provider, address: string, text: string): Promise<string> {
  await wallet.request({ method: 'eth_requestAccounts' });
  const bytes = [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0'));
  const signature = await wallet.request({
    method: 'personal_sign',
    params: [`0x${bytes.join('')}`, address],
  });
  return typeof signature === 'string' ? signature : '';
}
