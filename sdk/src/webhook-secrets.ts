import { type Bytes, fromBase64, utf8 } from './bytes.ts';
import { WebhookVerificationError } from './errors.ts';

/** One secret, or several while one is being rolled. */
export type Secrets = string | readonly string[] | undefined;

/** The keys of X-Signature: each is the whole `sk_...` text. Undefined when none was given. */
export function readSecretKeys(value: Secrets): Bytes[] | undefined {
  return toList(value)?.map((secret) => {
    if (isOf(secret, 'whsec_')) {
      refuse('secretKey holds a whsec_ secret, which is the endpoint’s: pass it as endpointSecret');
    }
    if (!isOf(secret, 'sk_'))
      refuse(`secretKey must be the secret key, sk_test_... or sk_live_...${found(secret)}`);
    return utf8(secret);
  });
}

/** The keys of webhook-signature: what is base64 after `whsec_`. Undefined when none was given. */
export function readEndpointSecrets(value: Secrets): Bytes[] | undefined {
  return toList(value)?.map((secret) => {
    if (isOf(secret, 'sk_')) refuse('endpointSecret holds a secret key (sk_...): pass it as secretKey');
    if (!isOf(secret, 'whsec_'))
      refuse(`endpointSecret must be the endpoint’s secret, whsec_...${found(secret)}`);
    const text = secret.slice('whsec_'.length);
    if (/[-_]/.test(text))
      refuse('endpointSecret is base64url after whsec_, but the gateway gave base64: copy it again');
    return fromBase64(text) ?? refuse('endpointSecret is not base64 after whsec_: copy it again');
  });
}

function toList(value: Secrets): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const list: readonly string[] = Array.isArray(value) ? value : [value];
  return list.length > 0 ? list : refuse('The list of secrets is empty');
}

function isOf(secret: unknown, prefix: string): boolean {
  return typeof secret === 'string' && secret.startsWith(prefix) && !/\s$/.test(secret);
}

/** What can be said about a wrong secret without telling it. */
function found(secret: unknown): string {
  if (typeof secret !== 'string') return `, and is ${secret === null ? 'null' : typeof secret}`;
  if (secret === '') return ', and is empty: is the environment variable set?';
  if (/^["'\s]|["'\s]$/.test(secret)) return ', and has quotes or white space around it';
  return '';
}

function refuse(message: string): never {
  throw new WebhookVerificationError('bad_secret', message);
}
