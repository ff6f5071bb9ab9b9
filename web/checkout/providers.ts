/** A wallet's interface (EIP-1193). */
export type Provider = { request(call: { method: string; params?: unknown[] }): Promise<unknown> };

/** A browser wallet. Its name and picture are not verified. */
export type Wallet = { name: string; icon: string | null; provider: Provider };

type Announcement = CustomEvent<{
  info: { uuid: string; name: string; icon: string };
  provider: Provider;
}>;

const announced = new Map<string, Wallet>();

/** Finds the wallets of this browser (EIP-6963). Calls `onFound` for each that announces itself, now or later. */
export function discoverWallets(onFound: () => void): void {
  window.addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = (event as Announcement).detail;
    // Only a picture inside the message: fetching one from an address would reveal this page to that server.
    const icon = info.icon.startsWith('data:image/') ? info.icon : null;
    announced.set(info.uuid, { name: info.name.trim().slice(0, 40), icon, provider });
    onFound();
  });
  window.dispatchEvent(new Event('eip6963:requestProvider'));
}

/** The wallets found so far. If there are none, a wallet that is older than EIP-6963 counts. */
export function foundWallets(unnamed: string): Wallet[] {
  if (announced.size > 0) return [...announced.values()];
  const provider = (window as { ethereum?: Provider }).ethereum;
  return provider ? [{ name: unnamed, icon: null, provider }] : [];
}
