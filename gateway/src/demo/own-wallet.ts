import { commandActor, recordChange } from '../identity/audit/audit-log.ts';
import { createIntegration, type IntegrationId, type Mode } from '../identity/integration.ts';
import { approvalOf, decideApproval } from '../identity/integrations/approval.ts';
import { createSigningKey } from '../identity/keys/keys.ts';
import { setOwnAddress } from '../identity/own-addresses.ts';
import type { Tx } from '../kit/db/db.ts';
import type { Seal } from '../kit/seal.ts';
import type { Asset } from '../money/assets.ts';
import { checksummed } from '../rails/evm/addresses/forwarders.ts';
import type { DemoChain } from './chain/demo-chain.ts';
import { addressOf } from './chain/record.ts';

/** The demo's integration whose payments on the demo chains settle to a wallet of its own, as `demo.json` names it. */
export type OwnWallet = {
  integration_id: IntegrationId;
  secret_key: string;
  live_secret_key: string;
  /** Where payments of live mode arrive, and its key. */
  address: string;
  private_key: string;
  /** Where the host's part arrives. */
  host_address: string;
  /** The same of the test network. */
  test_address?: string;
};

const name = 'Nib & Folio, own wallet';

type Chain = Pick<DemoChain, 'record'>;
type OwnWalletDeps = {
  seal: Seal;
  assets: readonly Asset[];
  now: Date;
  chain: Chain;
  testChain: Chain | null;
};

/** The integration of an earlier start, or a new one of the same merchant; its addresses hold at once. */
export async function keepOwnWallet(
  tx: Tx,
  deps: OwnWalletDeps,
  shop: IntegrationId,
  earlier: OwnWallet | undefined,
): Promise<OwnWallet> {
  const { chain, testChain } = deps;
  const { keys } = chain.record;
  const made = earlier ?? (await makeIntegration(tx, deps, shop));
  const address = checksummed(addressOf(keys.merchant));
  const own = {
    ...made,
    address,
    private_key: keys.merchant,
    host_address: checksummed(addressOf(keys.host)),
  };
  if (earlier?.address !== address) await settleTo(tx, deps, { own, mode: 'live', chain, address });
  if (!testChain) return own;
  const testAddress = checksummed(addressOf(testChain.record.keys.merchant));
  if (earlier?.test_address !== testAddress)
    await settleTo(tx, deps, { own, mode: 'test', chain: testChain, address: testAddress });
  return { ...own, test_address: testAddress };
}

async function makeIntegration(
  tx: Tx,
  { seal, now }: OwnWalletDeps,
  shop: IntegrationId,
): Promise<Pick<OwnWallet, 'integration_id' | 'secret_key' | 'live_secret_key'>> {
  const { rows } = await tx.query<{ merchant_id: string }>(
    'SELECT merchant_id FROM integrations WHERE id = $1',
    [shop],
  );
  const merchantId = rows[0]?.merchant_id;
  const whose = merchantId === undefined ? {} : { merchantId };
  const integrationId = await createIntegration(tx, { name, allowPrivateWebhooks: true, ...whose }, now);
  const secretKey = await createSigningKey(tx, seal, { integrationId, mode: 'test' }, now);
  const liveSecretKey = await createSigningKey(tx, seal, { integrationId, mode: 'live' }, now);
  const { status } = await approvalOf(tx, integrationId);
  if (status === 'none') {
    const decided = await decideApproval(tx, { id: integrationId, decision: 'approve', reason: null }, now);
    await recordChange(tx, commandActor, decided.change, now);
  }
  return { integration_id: integrationId, secret_key: secretKey, live_secret_key: liveSecretKey };
}

type Target = { own: { integration_id: IntegrationId }; mode: Mode; chain: Chain; address: string };

async function settleTo(
  tx: Tx,
  { assets, now }: OwnWalletDeps,
  { own, mode, chain, address }: Target,
): Promise<void> {
  for (const asset of Object.keys(chain.record.tokens)) {
    const currency = assets.find(({ code }) => code === asset)?.currency;
    if (currency === undefined) continue;
    const set = { address, mode, currency, from: now.toISOString(), by: name, before: null };
    await setOwnAddress(tx, { integrationId: own.integration_id, asset, own: set }, now);
  }
}
