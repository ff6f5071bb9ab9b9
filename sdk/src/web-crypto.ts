/** Web Crypto, which Node 18 alone does not have as a global. */
export async function webCrypto(): Promise<Crypto> {
  if (globalThis.crypto) return globalThis.crypto;
  // Through a variable, so that no bundler tries to pack a Node module for a worker.
  const nodeCrypto = 'node:crypto';
  const { webcrypto } = (await import(nodeCrypto)) as { webcrypto: Crypto };
  return webcrypto;
}
