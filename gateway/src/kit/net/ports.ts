/**
 * Whether merchants may use this port: those of the web, and those that need no administrator. On the others are mail
 * servers, remote shells and the like, which could act on a request.
 */
export function isOpenPort({ port }: Pick<URL, 'port'>): boolean {
  if (port === '' || port === '80' || port === '443') return true;
  return Number.parseInt(port, 10) > 1023;
}
