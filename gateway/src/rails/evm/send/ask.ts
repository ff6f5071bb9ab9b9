import type { Endpoint } from '../rpc/endpoints.ts';
import type { RpcCall } from '../rpc/rpc.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';

/** An endpoint's answer to one call of many, or its reason for refusing it. */
type Reply = { answer: unknown } | { refused: string };

/** What a call was about, and the endpoint's reply to it. */
export type Asked<T> = { subject: T; reply: Reply };

/** More calls at once are too many for some providers. */
const callsAtOnce = 50;

/**
 * Makes one call for each subject, and returns the answers in their order. A batch fails as a whole when one of its
 * calls is refused, so it is halved until the refused ones are found.
 */
export async function askEach<T>(
  endpoint: Endpoint,
  subjects: readonly T[],
  callFor: (subject: T) => RpcCall,
): Promise<Asked<T>[]> {
  const asked: Asked<T>[] = [];
  for (let at = 0; at < subjects.length; at += callsAtOnce) {
    asked.push(...(await halved(endpoint, subjects.slice(at, at + callsAtOnce), callFor)));
  }
  return asked;
}

async function halved<T>(
  endpoint: Endpoint,
  subjects: readonly T[],
  callFor: (subject: T) => RpcCall,
): Promise<Asked<T>[]> {
  try {
    const answers = await endpoint.batch(subjects.map(callFor));
    return subjects.map((subject, at) => ({ subject, reply: { answer: answers[at] } }));
  } catch (error) {
    if (!(error instanceof RpcFault && error.kind === 'refused')) throw error;
    const { message } = error;
    if (subjects.length === 1) return subjects.map((subject) => ({ subject, reply: { refused: message } }));
    const half = Math.ceil(subjects.length / 2);
    return [
      ...(await halved(endpoint, subjects.slice(0, half), callFor)),
      ...(await halved(endpoint, subjects.slice(half), callFor)),
    ];
  }
}
