import type { Secret } from '../../kit/secret.ts';

/** What signs the transactions of a rail: a key that this process reads, or another program that holds the key. */
export type SignerConfig =
  | { kind: 'file'; keyFile: Secret }
  | { kind: 'http'; url: string; tokenFile: Secret | null };
