/**
 * An address for a link on a page: only its path where both have one origin, so that a person who reached the page by
 * another name of the gateway keeps that name and their session.
 */
export function sameOriginPath(page: string, address: string): string {
  const { origin, pathname } = new URL(address);
  return origin === new URL(page).origin ? pathname : address;
}
