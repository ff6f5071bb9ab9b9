import { readSecret, type Secret, type SecretFault, secretNamed } from '../../kit/secret.ts';
import { SendFault } from './send-fault.ts';

/**
 * Reads a secret of a signer. A file is read again each time, so that a changed one counts at once. Throws SendFault.
 */
export async function readSignerSecret(secret: Secret, what: 'key' | 'token'): Promise<string> {
  return await readSecret(secret).catch((fault: SecretFault) => {
    throw new SendFault(`The ${secretNamed(`${what} file`, secret)} of the signer ${fault.message}`);
  });
}
