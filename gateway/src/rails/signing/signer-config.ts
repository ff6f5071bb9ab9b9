/** Who signs what a rail sends: a key in a file, or another program that holds it. */
export type SignerConfig =
  | { kind: 'file'; keyFile: string }
  | { kind: 'http'; url: string; tokenFile: string | null };
