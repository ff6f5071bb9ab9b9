import type { Party } from '../core/envelope.ts';
import type { Json } from './links.ts';

/** A party under a name; where it is a part of an account, that too. */
export function partyFields(name: string, { account, muxed, muxedId }: Party): Json {
  return { [name]: account, ...(muxed && { [`${name}_muxed`]: muxed, [`${name}_muxed_id`]: muxedId }) };
}
