import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Static, Type } from 'typebox';
import type { SignerConfig } from '../rails/signing/signer-config.ts';

/** The fields of a signer in the configuration file: a file with its key, or the address of a program. */
export const signerFields = {
  key_file: Type.Optional(Type.String({ minLength: 1 })),
  url: Type.Optional(Type.String({ pattern: '^https?://[^?#]+$', maxLength: 2048 })),
  token_file: Type.Optional(Type.String({ minLength: 1 })),
};

const SignerEntry = Type.Object(signerFields);

/** Reads a signer of the configuration file, and reports every fault of it. `what`: its place, such as `signer`. */
export function readSigner(
  { key_file, url, token_file }: Static<typeof SignerEntry>,
  what: string,
  fault: (why: string) => void,
): SignerConfig {
  if ((key_file === undefined) === (url === undefined))
    fault(`has a ${what} that needs a key_file or a url, and not both`);
  if (token_file !== undefined && url === undefined) fault(`has a ${what}.token_file without a ${what}.url`);
  if (url === undefined) {
    return { kind: 'file', keyFile: existingFile(key_file ?? '', `${what}.key_file`, fault) };
  }
  const tokenFile = token_file === undefined ? null : existingFile(token_file, `${what}.token_file`, fault);
  return { kind: 'http', url: url.replace(/\/$/, ''), tokenFile };
}

/** The absolute path of a file, which must exist. */
export function existingFile(name: string, what: string, fault: (why: string) => void): string {
  const path = resolve(name);
  if (!existsSync(path)) fault(`has a ${what} that does not exist`);
  return path;
}
