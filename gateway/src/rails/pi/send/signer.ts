import { readFile, stat } from 'node:fs/promises';
import type { ExchangeResult, HttpSender } from '../../../kit/net/safe-fetch.ts';
import type { SignerConfig } from '../horizon/network.ts';
import { SendFault } from './fault.ts';

/** Who adds signatures to transactions of the custody account. */
export type Signer = {
  /** The envelope with signatures; base 64 both. Throws SendFault, whose message holds no secret. */
  sign(envelope: string, passphrase: string): Promise<string>;
  /** Whose key it is, where that can be known before anything is signed. Throws SendFault. */
  publicKey(): Promise<string | null>;
  /** What is wrong with its file, in words; null: nothing. */
  warning(): Promise<string | null>;
};

/** The signer of the configuration. `sender` reaches any address: the operator chose it. */
export function createSigner(config: SignerConfig, sender: HttpSender): Signer {
  return config.kind === 'file' ? fileSigner(config.keyFile) : httpSigner(config, sender);
}

function fileSigner(path: string): Signer {
  /** Read anew each time, so that a changed key counts at once. */
  async function keypair() {
    const text = (await readSecret(path, 'key')).trim();
    const { Keypair, StrKey } = await import('@stellar/stellar-sdk/base');
    if (!StrKey.isValidEd25519SecretSeed(text)) {
      throw new SendFault(`The key file ${path} must hold one secret key of Pi alone: S and 55 characters`);
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
    async warning() {
      const { mode } = await stat(path);
      const isOpen = process.platform !== 'win32' && (mode & 0o077) !== 0;
      return isOpen ? `Others can read the key file ${path}: chmod 600 it` : null;
    },
  };
}

/** A program of the operator's own: it is sent a transaction, and answers it with its signature. */
function httpSigner({ url, tokenFile }: Extract<SignerConfig, { kind: 'http' }>, sender: HttpSender): Signer {
  const address = new URL(url);
  const fault = (why: string) => new SendFault(`The signer at ${address.host} ${why}`);

  async function exchange(content: object): Promise<ExchangeResult> {
    const token = tokenFile === null ? null : (await readSecret(tokenFile, 'token')).trim();
    return await sender.send({
      url: address,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: Buffer.from(JSON.stringify(content)),
      reach: 'any',
    });
  }
  return {
    async sign(envelope, passphrase) {
      const answer = await exchange({ network_passphrase: passphrase, transaction: envelope });
      if ('error' in answer) throw fault(`did not answer: ${answer.error}`);
      if (answer.statusCode !== 200) throw fault(`answered ${answer.statusCode}`);
      const signed = transactionOf(answer.body);
      if (signed === null) throw fault('answered something else than a transaction');
      return signed;
    },
    publicKey: async () => null,
    warning: async () => null,
  };
}

async function readSecret(path: string, what: 'key' | 'token'): Promise<string> {
  return await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new SendFault(
      `The ${what} file ${path} of the signer cannot be read (${error.code ?? error.name})`,
    );
  });
}

function transactionOf(body: Buffer): string | null {
  try {
    const { transaction } = JSON.parse(body.toString('utf8')) as { transaction?: unknown };
    return typeof transaction === 'string' ? transaction : null;
  } catch {
    return null;
  }
}
