/** Who hears of vulnerabilities of an installation. */
export type SecurityContact = { addresses: string[]; expires: Date };

const address = /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+?[\d().-]+)$/;

/** Reads `SECURITY_CONTACT` and `SECURITY_EXPIRES`; null where there is no contact. */
export function readSecurityContact(
  contact: string,
  expires: string,
  fault: (name: string, why: string) => void,
): SecurityContact | null {
  if (!contact && !expires) return null;
  const addresses = contact.split(/\s+/).filter((each) => each !== '');
  if (addresses.length === 0 || !addresses.every((each) => address.test(each)))
    fault('SECURITY_CONTACT', 'must be mailto:, https:// or tel: addresses');
  const end = new Date(`${expires}T00:00:00Z`);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(expires) && !Number.isNaN(end.getTime());
  if (!isDay || end.toISOString().slice(0, 10) !== expires)
    fault('SECURITY_EXPIRES', 'must be a day such as 2027-06-30');
  return { addresses, expires: end };
}
