import { type Static, Type } from 'typebox';
import type { SignerConfig } from '../rails/signing/signer-config.ts';
import { secretFields, secretOf } from './secrets.ts';

/** The fields of a signer in the configuration file: where its key is, or the address of a program. */
export const signerFields = {
  ...secretFields('key'),
  url: Type.Optional(Type.String({ pattern: '^https?://[^?#]+$', maxLength: 2048 })),
  ...secretFields('token'),
};

const SignerEntry = Type.Object(signerFields);

/** Reads a signer of the configuration file, and reports every fault of it. `what`: its place, such as `signer`. */
export function readSigner(
  entry: Static<typeof SignerEntry>,
  what: string,
  fault: (why: string) => void,
): SignerConfig {
  const { url } = entry;
  const key = secretOf(entry, 'key', `${what}.key`, fault);
  const token = secretOf(entry, 'token', `${what}.token`, fault);
  if ((key === null) === (url === undefined))
    fault(`has a ${what} that needs a key (key_file, key_env or key_command) or a url, and not both`);
  if (token !== null && url === undefined) fault(`has a ${what}.token without a ${what}.url`);
  if (url === undefined) return { kind: 'file', keyFile: key ?? '' };
  return { kind: 'http', url: url.replace(/\/$/, ''), tokenFile: token };
}
