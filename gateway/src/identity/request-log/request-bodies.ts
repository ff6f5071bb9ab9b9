import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { newId } from '../../kit/ids.ts';
import { dictionary } from './body-dictionary.ts';

/** The bodies of one call as they are stored: without secrets, and their beginnings alone where they are `cut`. */
export type Bodies = {
  request_body: string | null;
  request_cut: boolean;
  response_body: string | null;
  response_cut: boolean;
};

/** The bodies of several calls as one value of the database. */
export type Pack = { id: string; content: Buffer };

/** Where the bodies of a call are; nowhere when it has none. */
export type Place = { bodies_id: string | null; bodies_place: number | null };

// The first byte of a pack says how it was made, so that packs can be read for as long as they are kept: a new way, or
// another dictionary, gets the next number.
const deflated = 1;

/** Deflate refers back 32 KiB at most: a longer pack would not be smaller. */
const packLength = 32 * 1024;
/** The most calls in a pack: to read one of them, the whole pack is read. */
const packCalls = 64;

/** Packs calls in their order, each `at` its time: their packs, and where the bodies of each are. */
export function packBodies(calls: readonly (Bodies & { at: Date })[]): { packs: Pack[]; places: Place[] } {
  const packs: Pack[] = [];
  const places: Place[] = [];
  let open: { texts: string[]; length: number; places: Place[]; newest: number } | undefined;
  const close = (): void => {
    if (!open) return;
    // The id has the time of the newest call: the pack is deleted when none of its calls is kept any more.
    const id = newId(new Date(open.newest));
    packs.push({ id, content: pack(open.texts) });
    for (const place of open.places) place.bodies_id = id;
    open = undefined;
  };
  for (const call of calls) {
    const place: Place = { bodies_id: null, bodies_place: null };
    places.push(place);
    if (call.request_body === null && call.response_body === null) continue;
    const text = textOf(call);
    if (open && (open.length + text.length > packLength || open.texts.length === packCalls)) close();
    open ??= { texts: [], length: 0, places: [], newest: 0 };
    place.bodies_place = open.texts.push(text) - 1;
    open.places.push(place);
    open.length += text.length;
    open.newest = Math.max(open.newest, call.at.getTime());
  }
  close();
  return { packs, places };
}

/** The bodies of the call that has this place in a pack. */
export function unpackBodies(content: Buffer, place: number): Bodies {
  if (content[0] !== deflated)
    throw new Error(`Bodies of calls were packed in an unknown way (${content[0]})`);
  const parts = inflateRawSync(content.subarray(1), { dictionary }).toString('utf8').split(end);
  const [request, response] = [parts[place * 2], parts[place * 2 + 1]];
  if (!request || response === undefined) throw new Error(`A pack of bodies has no call ${place}`);
  const cuts = cutMarks.indexOf(request.slice(0, 1));
  return {
    request_body: request.slice(1) || null,
    request_cut: (cuts & requestCut) !== 0,
    response_body: response || null,
    response_cut: (cuts & responseCut) !== 0,
  };
}

// Stored texts have no NUL, and none of them is empty.
const end = '\0';
/** The first character of a call says which of its bodies are cut. */
const cutMarks = '0123';
const requestCut = 1;
const responseCut = 2;

function textOf(bodies: Bodies): string {
  const cuts = (bodies.request_cut ? requestCut : 0) + (bodies.response_cut ? responseCut : 0);
  return `${cutMarks[cuts]}${bodies.request_body ?? ''}${end}${bodies.response_body ?? ''}${end}`;
}

function pack(texts: readonly string[]): Buffer {
  return Buffer.concat([Buffer.of(deflated), deflateRawSync(texts.join(''), { dictionary })]);
}
