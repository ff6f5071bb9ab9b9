/**
 * Whether merchants may name this port: those of the web, and those that need no rights of an administrator. Behind the
 * others are mail, remote shells and the like, which a request could make do something.
 */
export function isOpenPort({ port }: Pick<URL, 'port'>): boolean {
  if (port === '' || port === '80' || port === '443') return true;
  return Number.parseInt(port, 10) > 1023;
}
