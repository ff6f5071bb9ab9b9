/** Live customers are sent back by https alone; a loopback address is the demo's. */
export function isHttpsOrLoopback(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
