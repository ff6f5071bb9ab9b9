import { faultOfServers, serversOf } from '../../kit/db/servers.ts';

/** Whether a text is the address of a server of PostgreSQL, or of several that share their data. */
export function isAddress(text: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(text) || faultOfServers(text) !== null) return false;
  return serversOf(text).every((each) => URL.canParse(each));
}

/** The address with another text in the place of its password, if it has one; an empty text leaves it out. */
export function withPassword(address: string, shown: string): string {
  return address
    .replace(/^(\w+:\/\/[^/?#@:]*):[^/?#]*@/, (_, before) => `${before}${shown === '' ? '' : `:${shown}`}@`)
    .replace(/([?&]password=)[^&#]*/, (_, before) => `${before}${shown}`);
}
