/** The values that are filled into the snippets. */
export type SnippetContext = {
  /** The address of the API. */
  baseUrl: string;
  integrationId: string;
  mode: 'test' | 'live';
  /** The test key, or a key as far as it may be shown: `sk_live_...1a2b`. */
  key: string;
  /** Whether `key` is the whole key, so that the snippet runs as it is. */
  isWhole: boolean;
};

/** What a comment says of the key that the environment must hold. */
export function keyNote({ key, isWhole }: SnippetContext): string {
  return isWhole ? key : `${key}: it was shown once, when it was made`;
}

/** The three things that every integration does first, in one language. */
export type SnippetSet = {
  label: string;
  /** Makes a payment and sends the customer to its page. */
  create(context: SnippetContext): string;
  /** Receives a webhook and checks that the gateway sent it. */
  verify(context: SnippetContext): string;
  /** Pays a user's wallet out of the business balance. */
  fundUser(context: SnippetContext): string;
};
