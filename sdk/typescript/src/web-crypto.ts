/** Web Crypto, which Node 18 alone does not have as a global. */
export async function webCrypto(): Promise<Crypto> {
  if (globalThis.crypto) return globalThis.crypto;
  // The name is put together here, so that no bundler tries to pack a Node module for a worker.
  const { webcrypto } = (await import(['node', 'crypto'].join(':'))) as { webcrypto: Crypto };
  return webcrypto;
}
