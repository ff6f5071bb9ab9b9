import type { AddressSignature, ProvedAddress } from '../../../../web/proof/statement.ts';
import type { Secret } from '../../kit/secret.ts';
import type { ChainConfig, Hex } from '../../rails/evm/config/chains.ts';
import type { ChainWithEndpoints } from '../../rails/evm/scan/look-up.ts';
import { KeyFault, readGasKey } from '../../rails/evm/send/key.ts';

/**
 * Signs for the addresses whose keys this process can read: vaults by their signer. For all others people sign by
 * themselves, and `addSignature` takes it. A key that cannot be read is logged by whoever sends with it.
 */
export async function signAddresses(
  { chains }: { chains: readonly ChainWithEndpoints[] },
  addresses: readonly ProvedAddress[],
  textOf: (address: string) => string,
): Promise<AddressSignature[]> {
  const signatures: AddressSignature[] = [];
  for (const each of addresses) {
    const { chain_id, address } = each;
    const chain = chains.find((asked) => asked.chain.id === chain_id)?.chain;
    const file = chain && each.kind !== 'forwarder' ? keyFileOf(chain, address as Hex) : null;
    if (chain_id === null || !file) continue;
    const key = await readGasKey(file, 'key file').catch((error: unknown) => {
      if (error instanceof KeyFault) return null;
      throw error;
    });
    const signature = key?.signText?.(textOf(address));
    if (key && signature) signatures.push({ chain_id, address, by: key.address, signature });
  }
  return signatures;
}

function keyFileOf({ vault, receiving, treasuryKeyFile }: ChainConfig, address: Hex): Secret | null {
  if (address === vault?.address && vault.signer?.by.kind === 'file') return vault.signer.by.keyFile;
  const isTreasury = receiving.kind === 'forwarder' && receiving.treasury === address;
  return (isTreasury && treasuryKeyFile) || null;
}
