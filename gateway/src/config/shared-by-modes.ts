import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Secret } from '../kit/secret.ts';
import type { ChainConfig } from '../rails/evm/config/chains.ts';
import type { PiConfig } from '../rails/pi/horizon/network.ts';
import type { SignerConfig } from '../rails/signing/signer-config.ts';

/** One thing that no two modes may share: the entry that has it, what it is, and the same text wherever it is the same. */
type Owned = { isTest: boolean; by: string; what: string; same: string };

/**
 * Reports each treasury, vault, account and key that an entry of test mode has in common with a live one
 * (contract.md#testnets). Their texts name what is shared, never a key.
 */
export function reportShared(
  networks: { chains: readonly ChainConfig[]; pi: PiConfig | null; testPi: PiConfig | null },
  report: (name: string, why: string) => void,
): void {
  const owned = [
    ...networks.chains.flatMap(ownedByChain),
    ...[networks.pi, networks.testPi].flatMap((pi) => (pi ? ownedByPi(pi) : [])),
  ];
  const live = new Map(owned.filter(({ isTest }) => !isTest).map((each) => [each.same, each]));
  const told = new Set<string>();
  for (const { by, what, same } of owned.filter(({ isTest }) => isTest)) {
    const other = live.get(same);
    if (!other) continue;
    const fault = `${by}, in test mode, has for its ${what} the ${other.what} of ${other.by}, which is live: it needs its own`;
    if (!told.has(fault)) report('CONFIG_FILE', fault);
    told.add(fault);
  }
}

function ownedByChain({ id, isTest = false, receiving, sweep, vault }: ChainConfig): Owned[] {
  const own = (what: string, same: string | null): Owned[] =>
    same === null ? [] : [{ isTest, by: `chain ${id}`, what, same }];
  return [
    ...(receiving.kind === 'forwarder' ? own('treasury', receiving.treasury) : own('xpub', receiving.xpub)),
    ...own('gas key', keyText(sweep.gasKeyFile)),
    ...(vault ? own('vault', vault.address) : []),
    ...(vault ? own("vault's admin", vault.admin) : []),
    ...(vault?.signer ? own("vault's signer", vault.signer.address) : []),
    ...(vault?.signer ? own("key of the vault's signer", signerText(vault.signer.by)) : []),
  ];
}

function ownedByPi({ isTest = false, passphrase, account, signer, platform }: PiConfig): Owned[] {
  const own = (what: string, same: string | null): Owned[] =>
    same === null ? [] : [{ isTest, by: 'pi', what, same }];
  return [
    // Their transfers would be in one history.
    ...own('network', passphrase),
    ...own('account', account),
    ...(signer ? own('key', signerText(signer)) : []),
    ...(platform ? own("platform's key", keyText(platform.keyFile)) : []),
  ];
}

const signerText = (signer: SignerConfig): string | null =>
  signer.kind === 'file' ? keyText(signer.keyFile) : `url ${signer.url}`;

/** A text that is the same for the same key: of a file the digest of its content, else where it comes from. */
function keyText(secret: Secret | null): string | null {
  if (secret === null || secret === '') return null;
  if (typeof secret !== 'string') return JSON.stringify(secret);
  try {
    return createHash('sha256').update(readFileSync(secret, 'utf8').trim()).digest('hex');
  } catch {
    // It is reported where it is read.
    return secret;
  }
}
