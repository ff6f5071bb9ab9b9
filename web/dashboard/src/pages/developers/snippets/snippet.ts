/** The values that are filled into the snippets. */
export type SnippetContext = {
  /** The address of the API. */
  baseUrl: string;
  integrationId: string;
  mode: 'test' | 'live';
  /** The key as far as it may be shown: `sk_test_...1a2b`. */
  key: string;
};

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
