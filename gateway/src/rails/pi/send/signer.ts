import type { HttpSender } from '../../../kit/net/safe-fetch.ts';
import { openSecretWarning, type Secret, secretNamed } from '../../../kit/secret.ts';
import { SendFault } from '../../signing/send-fault.ts';
import type { SignerConfig } from '../../signing/signer-config.ts';
import { readSignerSecret } from '../../signing/signer-secret.ts';
import { createSigningProgram } from '../../signing/signing-program.ts';

/** Who adds signatures to transactions of the custody account. */
export type Signer = {
  /** The envelope with signatures; base 64 both. Throws SendFault, whose message holds no secret. */
  sign(envelope: string, passphrase: string): Promise<string>;
  /** The public key, where it is known before anything is signed; else null. Throws SendFault. */
  publicKey(): Promise<string | null>;
  /** What is wrong with its file, in words; null: nothing. */
  warning(): Promise<string | null>;
};

/** The signer of the configuration. `sender` reaches any address: the operator chose it. */
export function createSigner(config: SignerConfig, sender: HttpSender): Signer {
  return config.kind === 'file' ? fileSigner(config.keyFile) : programSigner(config, sender);
}

function fileSigner(secret: Secret): Signer {
  /** Read again each time, so that a changed key counts at once. */
  async function keypair() {
    const text = await readSignerSecret(secret, 'key');
    const { Keypair, StrKey } = await import('@stellar/stellar-sdk/base');
    if (!StrKey.isValidEd25519SecretSeed(text)) {
      throw new SendFault(
        `The ${secretNamed('key file', secret)} must hold one secret key of Pi alone: S and 55 characters`,
      );
    }
    return Keypair.fromSecret(text);
  }
  return {
    async sign(envelope, passphrase) {
      const { TransactionBuilder } = await import('@stellar/stellar-sdk/base');
      const transaction = TransactionBuilder.fromXDR(envelope, passphrase);
      transaction.sign(await keypair());
      return transaction.toXDR();
    },
    publicKey: async () => (await keypair()).publicKey(),
    warning: () => openSecretWarning(secret, 'key file'),
  };
}

function programSigner(config: Extract<SignerConfig, { kind: 'http' }>, sender: HttpSender): Signer {
  const program = createSigningProgram(config, sender);
  return {
    sign: (envelope, passphrase) => program.sign({ network_passphrase: passphrase, transaction: envelope }),
    publicKey: async () => null,
    warning: async () => null,
  };
}
