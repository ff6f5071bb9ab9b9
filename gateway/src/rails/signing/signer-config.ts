import type { Secret } from '../../kit/secret.ts';

/** Who signs what a rail sends: a key that this process reads, mostly of a file, or another program that holds it. */
export type SignerConfig =
  | { kind: 'file'; keyFile: Secret }
  | { kind: 'http'; url: string; tokenFile: Secret | null };
