/**
 * An address as a page of another one names it: by its path alone where both have one origin, so that whoever reached the
 * page by another name of the gateway keeps that name, and their session.
 */
export function seenFrom(page: string, address: string): string {
  const { origin, pathname } = new URL(address);
  return origin === new URL(page).origin ? pathname : address;
}
