import type { Order } from './order.ts';

/** Why a wallet did not pay: the text to show, and whether it is certain that nothing was sent. */
export type Problem = { text: string; nothingSent: boolean };

/** A problem from before the transfer was requested. */
export function problem(text: string): Problem {
  return { text, nothingSent: true };
}

/** The problem behind what a wallet threw. A refusal by its owner is not an error (EIP-1193: 4001). */
export function problemOf(thrown: unknown, { words }: Order): Problem {
  if (isProblem(thrown)) return thrown;
  const code = codeOf(thrown);
  const message = (thrown as { message?: unknown } | null)?.message;
  const text = typeof message === 'string' ? message.trim().slice(0, 160) : '';
  if (isRefused(thrown)) return problem(words.declined);
  if (code === -32002) return problem(words.unanswered);
  if (/insufficient funds/i.test(text)) return problem(words.noGas);
  const sentence = /[.!?。]$/.test(text) ? text : `${text || code}.`;
  return { text: words.trouble.replace('{problem}', () => sentence), nothingSent: false };
}

/** A wallet's own error code, which some wallets wrap into another error. */
export function codeOf(thrown: unknown): unknown {
  const error = thrown as { code?: unknown; data?: { originalError?: { code?: unknown } } } | null;
  return error?.data?.originalError?.code ?? error?.code;
}

/** Whether the wallet's owner refused, by the codes of EIP-1193, ethers and WalletConnect. */
export function isRefused(thrown: unknown): boolean {
  const codes = [codeOf(thrown), (thrown as { code?: unknown } | null)?.code];
  return codes.some((code) => [4001, 5000, 5001, 5002, 'ACTION_REJECTED'].includes(code as number));
}

function isProblem(thrown: unknown): thrown is Problem {
  return typeof thrown === 'object' && thrown !== null && 'nothingSent' in thrown;
}
