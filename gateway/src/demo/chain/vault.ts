import { deployer } from '../../rails/evm/addresses/forwarders.ts';
import { vaultAddress, vaultCode } from '../../rails/evm/addresses/vault.ts';
import type { Hex } from '../../rails/evm/config/chains.ts';
import { limitOrder, signerOrder } from '../../rails/evm/vault/orders.ts';
import { fill, type Purse, send } from './coins.ts';
import type { LocalRpc } from './rpc.ts';

export type DemoVault = {
  admin: Hex;
  signer: Hex;
  /** What it holds, and for how much of each token the signer may pay out in a day. */
  purse: Purse;
  limits: Purse['tokens'];
};

/** Deploys the vault of an admin, names its signer, sets its limits and fills it. Resolves with its address. */
export async function furnishVault(rpc: LocalRpc, { admin, signer, purse, limits }: DemoVault): Promise<Hex> {
  const vault = vaultAddress(admin);
  const deployment: Hex = `0x${'0'.repeat(64)}${vaultCode(admin).slice(2)}`;
  await send(rpc, { to: deployer, data: deployment });
  await fill(rpc, admin, { native: 1n, tokens: [] });
  await rpc('evm_mine');
  if ((await rpc<Hex>('eth_getCode', [vault, 'latest'])) === '0x') {
    throw new Error('the vault could not be deployed on the local chain');
  }
  await rpc('anvil_impersonateAccount', [admin]);
  await send(rpc, { from: admin, to: vault, data: signerOrder(signer) });
  for (const { address, scale, amount } of limits) {
    const data = limitOrder(address, amount * 10n ** BigInt(scale));
    await send(rpc, { from: admin, to: vault, data });
  }
  await fill(rpc, vault, purse);
  await rpc('evm_mine');
  await rpc('anvil_stopImpersonatingAccount', [admin]);
  return vault;
}
