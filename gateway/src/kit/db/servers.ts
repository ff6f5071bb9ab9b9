const severalHosts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)((?:[/?#].*)?)$/;

/** What `target_session_attrs` may say where the one that takes writes is used, and where those that follow it are. */
const wanted = {
  primary: ['read-write', 'primary'],
  standby: ['any', 'read-only', 'standby', 'prefer-standby'],
} as const;

/** Which servers of an address are used. */
type Wanted = keyof typeof wanted;

/**
 * The addresses of the servers that one address of PostgreSQL names, as libpq reads it:
 * `postgres://user@one:5432,two:5432/florin?target_session_attrs=read-write` names two. Every other address is returned
 * as it is. Throws with what is wrong with one of several.
 */
export function serversOf(address: string, use: Wanted = 'primary'): string[] {
  const parts = severalHosts.exec(address);
  if (!parts) return [address];
  const [, before = '', hosts = '', after = ''] = parts;
  return hosts.split(',').map((host) => {
    const url = URL.parse(`${before}${host}${after}`);
    if (host === '' || !url) throw new Error('must name each server as host:port, with commas between them');
    const session = url.searchParams.get('target_session_attrs');
    if (session !== null && !(wanted[use] as readonly string[]).includes(session))
      throw new Error(
        `must have target_session_attrs=${use === 'primary' ? 'read-write' : 'standby'}, or none`,
      );
    // The driver does not know it.
    url.searchParams.delete('target_session_attrs');
    return url.href;
  });
}

/** The same address with another database of its servers. */
export function inDatabase(address: string, database: string): string {
  const [, before, hosts, after = ''] = severalHosts.exec(address) ?? [];
  const url = new URL(before === undefined ? address : `postgres://servers${after}`);
  url.pathname = `/${database}`;
  return before === undefined ? url.href : `${before}${hosts}${url.pathname}${url.search}`;
}

/** What is wrong with an address of several servers; null where nothing is. */
export function faultOfServers(address: string, use: Wanted = 'primary'): string | null {
  try {
    serversOf(address, use);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
