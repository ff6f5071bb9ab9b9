import { SendFault } from '../../signing/send-fault.ts';
import type { SendDeps } from './deps.ts';
import { readAccount, readLedger } from './view.ts';

/**
 * Checks, before anything is sent, that the key of the key file signs for the account. A program that signs is not
 * asked. Throws SendFault, HorizonFault.
 */
export async function requireSigner({ pi, horizons, signer, log }: SendDeps): Promise<void> {
  const key = await signer.publicKey();
  if (key === null) return;
  const warning = await signer.warning();
  if (warning) log.warn(warning);
  const { value: account } = await horizons.use(async (horizon) =>
    readAccount(horizon, pi.account, await readLedger(horizon)),
  );
  // The reader reports an account that does not exist yet.
  if (!account) return;
  if ((account.signers.get(key) ?? 0n) === 0n) {
    throw new SendFault('The key of the key file is none of the custody account');
  }
}
