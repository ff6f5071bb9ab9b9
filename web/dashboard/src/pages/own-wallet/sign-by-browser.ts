type Provider = { request(call: { method: string; params?: unknown[] }): Promise<unknown> };

/** The wallet in this browser (EIP-1193); undefined: there is none. */
export const browserWallet = (): Provider | undefined =>
  (globalThis as unknown as { ethereum?: Provider }).ethereum;

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
