import type { Sentence } from '../checkout/messages/translate.ts';
import type { Asset } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import type { PageContext } from './context.ts';
import type { WalletLine } from './lines.ts';
import type { Say } from './messages/words.ts';

/** What a line was, in words: `Paid Nib & Folio`. */
export function lineWords(say: Say, line: WalletLine, { network }: Pick<Asset, 'network'>): Sentence {
  const { kind, merchant, username } = line;
  if (kind === 'funded' && merchant !== null) return say('lineFunded', { merchant });
  if (kind === 'paid' && merchant !== null) return say('linePaid', { merchant });
  if (kind === 'sent' && username !== null) return say('lineSent', { username });
  if (kind === 'received' && username !== null) return say('lineReceived', { username });
  if (kind === 'deposit') return say('lineDeposit', { network });
  if (kind === 'deposit_lost') return say('lineDepositLost', { network });
  if (kind === 'withdrawal') return say('lineWithdrawn', { network });
  if (kind === 'fee') return say('lineFee');
  if (kind === 'refunded' && merchant !== null) return say('lineRefunded', { merchant });
  if (kind === 'returned') return say('lineReturned');
  return kind === 'owed' ? say('lineOwed') : say('lineOther');
}

/** A second line of text: the payment's reference, or the sender's note. */
export function lineNote(say: Say, { kind, reference, note }: WalletLine): Sentence | string | null {
  if ((kind === 'paid' || kind === 'refunded') && reference !== null)
    return say('linePaidReference', { reference });
  return note;
}

/** A line for programs, with its words in the language of the page. */
export function entryOf({ say, site }: PageContext, line: WalletLine) {
  const asset = site.assets.get(line.asset);
  const note = lineNote(say, line);
  const words = [
    lineWords(say, line, asset).text,
    ...(note === null ? [] : [typeof note === 'string' ? note : note.text]),
  ];
  return {
    at: line.created_at.toISOString(),
    asset: line.asset,
    amount: decimalOf(line.units, asset.scale),
    kind: line.kind,
    text: words.join(' · '),
  };
}
