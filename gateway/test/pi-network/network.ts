import { startHorizon } from '../horizon/horizon.ts';
import { createPlatform, type Platform } from '../pi-platform/platform.ts';
import { filesOf, keepKeys, makeKeys, readKeys } from './keys.ts';
import { answerWallet } from './wallet/routes.ts';
import { createWallet } from './wallet/wallet.ts';

export type PiNetwork = { url: string; platform: Platform; stop(): Promise<void> };

export type PiNetworkOptions = {
  /** Where it is kept; it goes on where it stood. */
  directory: string;
  port: number;
  /** Pages that may use its SDK. */
  pageOrigins: readonly string[];
};

const coin = 10_000_000n;
const payerCoins = 100_000n;
/** What the custody account needs to be there, and to pay fees from. */
const custodyCoins = 10n;
/** Ledgers close when there is something to put into them, and as often as this without: an older one is stale. */
const idleMs = 10_000;

/** Serves a whole Pi network at one address: Horizon, the Platform API, the SDK and a wallet. */
export async function startPiNetwork(options: PiNetworkOptions): Promise<PiNetwork> {
  const { directory, port, pageOrigins } = options;
  const url = `http://127.0.0.1:${port}`;
  const files = filesOf(directory);
  const keys = (await readKeys(directory)) ?? (await makeKeys(directory));
  const { passphrase, custody, payer } = keys;
  const platform = createPlatform({
    horizonUrl: url,
    passphrase,
    app: { name: 'Florin demo shop', key: keys.platformKey, account: custody.publicKey() },
    file: files.payments,
    pageOrigins,
  });
  platform.users.add({ username: 'pioneer', wallet: payer, uid: keys.userUid });
  const wallet = createWallet(url, passphrase, payer);
  const horizon = await startHorizon({
    passphrase,
    port,
    // So that the custody account begins without a movement that would be nobody's.
    genesis: { [custody.publicKey()]: custodyCoins * coin, [payer.publicKey()]: payerCoins * coin },
    journal: files.ledgers,
    beside: async (request, response) =>
      (await answerWallet(wallet, request, response)) || (await platform.handle(request, response)),
  });
  await keepKeys(directory, keys, port);
  const timer = setInterval(() => horizon.close(), idleMs);
  return {
    url,
    platform,
    async stop() {
      clearInterval(timer);
      await horizon.stop();
      platform.close();
    },
  };
}
