/** Live customers are sent back by https alone; a loopback address is the demo's. */
export function isHttpsOrLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
