import { randomCrockford } from '../../kit/ids.ts';

const count = 10;
/** 120 random bits: more than anybody can try, also with a copy of the database. */
const length = 24;

/** Ten recovery codes as they are shown: six groups of four characters. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: count }, () => randomCrockford(length).match(/.{4}/g)?.join('-') ?? '');
}
