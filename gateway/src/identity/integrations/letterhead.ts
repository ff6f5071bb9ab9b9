import { type FieldParser, invalid, isLine } from '../../kit/http/fields.ts';

/** A postal address on receipts has at most so many lines, and so many characters in all. */
const mostLines = 6;
const mostCharacters = 300;

/**
 * Reads `postal_address` of an integration's settings: lines without blanks at their ends, and no empty ones
 * (contract.md#receipts).
 */
export const postalAddressParser: FieldParser<string | undefined> = (value) => {
  if (value === undefined) return undefined;
  const lines = typeof value === 'string' ? value.split(/\r\n|\r|\n/).map((line) => line.trim()) : [];
  const filled = lines.filter((line) => line !== '');
  const address = filled.join('\n');
  return filled.length > 0 &&
    filled.length <= mostLines &&
    address.length <= mostCharacters &&
    filled.every(isLine)
    ? address
    : invalid('postal_address', 'must be at most 6 lines of text, with 300 characters in all');
};
