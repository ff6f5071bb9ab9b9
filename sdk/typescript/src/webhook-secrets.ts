import { type Bytes, fromBase64, utf8 } from './bytes.ts';
import { WebhookVerificationError } from './errors.ts';

/** One secret, or several while one is being rolled. */
export type Secrets = string | readonly string[] | undefined;

/** The secrets of a receiver, as `verifyWebhook` takes them. */
export type SecretOptions = {
  /** The integration's signing key (`sk_...`): checks X-Signature. */
  secretKey?: Secrets;
  /** The endpoint's secret (`whsec_...`): checks webhook-signature, which also stops replays. */
  endpointSecret?: Secrets;
};

/** The keys of X-Signature: each is the whole `sk_...` text. Undefined when the option is absent. */
export function readSecretKeys(options: SecretOptions): Bytes[] | undefined {
  return toList(options, 'secretKey')?.map((secret) => {
    if (isSecretWith(secret, 'whsec_')) {
      refuse('secretKey holds a whsec_ secret, which is the endpoint’s: pass it as endpointSecret');
    }
    if (!isSecretWith(secret, 'sk_'))
      refuse(`secretKey must be the secret key, sk_test_... or sk_live_...${faultOf(secret)}`);
    return utf8(secret);
  });
}

/** The keys of webhook-signature: what is base64 after `whsec_`. Undefined when the option is absent. */
export function readEndpointSecrets(options: SecretOptions): Bytes[] | undefined {
  return toList(options, 'endpointSecret')?.map((secret) => {
    if (isSecretWith(secret, 'sk_'))
      refuse('endpointSecret holds a secret key (sk_...): pass it as secretKey');
    if (!isSecretWith(secret, 'whsec_'))
      refuse(`endpointSecret must be the endpoint’s secret, whsec_...${faultOf(secret)}`);
    const text = secret.slice('whsec_'.length);
    if (/[-_]/.test(text))
      refuse('endpointSecret is base64url after whsec_, but the gateway gave base64: copy it again');
    return fromBase64(text) ?? refuse('endpointSecret is not base64 after whsec_: copy it again');
  });
}

function toList(options: SecretOptions, name: keyof SecretOptions): readonly unknown[] | undefined {
  // An environment variable that is not set must not mean a signature that is not checked.
  if (!(name in options)) return undefined;
  const value: unknown = options[name];
  const list = Array.isArray(value) ? value : [value];
  return list.length > 0 ? list : refuse(`${name} is an empty list`);
}

function isSecretWith(secret: unknown, prefix: string): secret is string {
  return typeof secret === 'string' && secret.startsWith(prefix) && !/\s$/.test(secret);
}

/** Says what is wrong with a secret, without showing it. */
function faultOf(secret: unknown): string {
  if (secret === undefined || secret === '') return ', and is empty: is the environment variable set?';
  if (typeof secret !== 'string') return `, and is ${secret === null ? 'null' : typeof secret}`;
  if (/^["'\s]|["'\s]$/.test(secret)) return ', and has quotes or white space around it';
  return '';
}

function refuse(message: string): never {
  throw new WebhookVerificationError('bad_secret', message);
}
