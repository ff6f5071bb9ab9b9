import type { LedgerCore } from '../core/core.ts';
import type { LedgerTransaction } from '../core/ledger.ts';
import type { Links } from '../views/links.ts';
import { transactionJson } from '../views/transaction.ts';
import { type Answer, badRequest, malformed, timedOut, transactionFailed } from './problems.ts';

/** Submits an envelope and waits until it is in a ledger; 504 where that takes longer than `timeoutMs`. */
export async function submitEnvelope(
  core: LedgerCore,
  envelopeXdr: string | null,
  timeoutMs: number,
  links: Links,
): Promise<Answer> {
  if (!envelopeXdr) return badRequest('tx', 'Missing required field');
  const submitted = core.submit(envelopeXdr);
  if (submitted.kind === 'malformed') return malformed(envelopeXdr);
  if (submitted.kind === 'refused') return transactionFailed({ envelopeXdr, ...submitted });
  if (submitted.kind === 'applied') return answerFor(submitted.transaction, links);
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), timeoutMs).unref();
  const transaction = await Promise.race([submitted.outcome, late]);
  clearTimeout(timer);
  return transaction ? answerFor(transaction, links) : timedOut();
}

function answerFor(transaction: LedgerTransaction, links: Links): Answer {
  if (transaction.successful) return { status: 200, body: transactionJson(transaction, links) };
  const { envelope, codes, resultXdr } = transaction;
  return transactionFailed({ envelopeXdr: envelope.xdr, codes, resultXdr });
}
