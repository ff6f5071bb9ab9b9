/** A wallet's interface (EIP-1193). */
export type Provider = { request(call: { method: string; params?: unknown[] }): Promise<unknown> };

/** A wallet of this browser. Its name and picture are its own claims. */
export type Wallet = { name: string; icon: string | null; provider: Provider };

type Announcement = CustomEvent<{
  info: { uuid: string; name: string; icon: string };
  provider: Provider;
}>;

const announced = new Map<string, Wallet>();

/** Asks the wallets of this browser to name themselves (EIP-6963), and tells of each that does, now or later. */
export function discoverWallets(onFound: () => void): void {
  window.addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = (event as Announcement).detail;
    // Only a picture that comes with the name: any other address would tell a stranger of this page.
    const icon = info.icon.startsWith('data:image/') ? info.icon : null;
    announced.set(info.uuid, { name: info.name.trim().slice(0, 40), icon, provider });
    onFound();
  });
  window.dispatchEvent(new Event('eip6963:requestProvider'));
}

/** The wallets found so far; one from before EIP-6963 only where there is no other. */
export function foundWallets(unnamed: string): Wallet[] {
  if (announced.size > 0) return [...announced.values()];
  const provider = (window as { ethereum?: Provider }).ethereum;
  return provider ? [{ name: unnamed, icon: null, provider }] : [];
}
