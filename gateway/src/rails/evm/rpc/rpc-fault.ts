import { EndpointFault, type FaultKind, kindOfExchange } from '../../endpoint-fault.ts';

/** What went wrong with an endpoint of a chain. */
export class RpcFault extends EndpointFault {}

/** The error of a JSON-RPC answer. */
export type RpcError = { code: number; message: string };

export function isRpcError(value: unknown): value is RpcError {
  return typeof value === 'object' && value !== null && 'code' in value && 'message' in value;
}

// The words of Alchemy, Ankr, Base, BlockPI, BNB Chain, Chainstack, drpc, Erigon, geth, Infura, Llama, Nethermind,
// PublicNode, QuickNode and reth. Codes say little: -32005 is "too many blocks" here and "too often" there.
const tooMuch =
  /\brange\b|block limit|more than \d+ (?:results|logs|blocks)|max(?:imum)? (?:results|logs|blocks|\d)|too many (?:results|logs|blocks|topics)|(?:response|result|size) (?:is )?(?:too (?:large|big)|exceeded|limit)|too large/i;
const rateLimited =
  /rate.?limit|too many requests|request limit|requests? (?:count )?exceeded|throughput|capacity|compute units|quota|credits?\b|limit reached|calls? limit|slow down/i;
const timedOut = /time(?:d)? ?out|deadline exceeded|took too long|execution aborted/i;
const unwell = /no backend|unhealthy|not healthy|overloaded|temporarily|unavailable|bad gateway|syncing/i;
const behind =
  /header not found|block not found|unknown block|beyond (?:the )?(?:current )?head|cannot be found/i;
/** -32005 is the code for "too many requests" by EIP-1474. */
const limitCode = -32005;

/** What the error of one call means; `blocks` is how many blocks the call asked for, 0 for other calls. */
export function kindOfError({ code, message }: RpcError, status: number, blocks: number): FaultKind {
  // These statuses are about the caller and not about the call.
  if (status === 401 || status === 403 || status === 429) return kindOfStatus(status, blocks);
  if (rateLimited.test(message)) return 'rate_limited';
  if (blocks > 0 && tooMuch.test(message)) return 'too_much';
  // The code alone, with more than one block: either may be meant, and asking for fewer blocks costs nothing.
  if (code === limitCode) return blocks > 1 ? 'too_much' : 'rate_limited';
  if (timedOut.test(message)) return 'timeout';
  if (behind.test(message)) return 'behind';
  return unwell.test(message) ? 'unreachable' : 'refused';
}

/** The kind of a fault, by an HTTP status without a JSON-RPC answer. */
export function kindOfStatus(status: number, blocks: number): FaultKind {
  if (status === 429) return 'rate_limited';
  if (status === 413 && blocks > 1) return 'too_much';
  if (status === 408 || status === 504) return 'timeout';
  return status >= 200 && status < 300 ? 'nonsense' : 'unreachable';
}

/** The kind of a fault, by the error of the HTTP client. */
export function kindOfFailure(error: Error & { code?: string }, blocks: number): FaultKind {
  return error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' && blocks > 1 ? 'too_much' : kindOfExchange(error);
}

/** The faults of a call that say something of the contract and not of the endpoint. */
const failed =
  /revert|out ?of ?gas|VM execution error|EVM error|invalid opcode|invalid jump|stack (?:over|under)flow/i;

export function isOfContract(error: unknown): boolean {
  return error instanceof RpcFault && failed.test(error.message);
}
