import type { Html, HtmlValue } from '../../kit/http/html.ts';
import type { IconName } from '../icons.ts';
import type { Sentence } from '../messages/translate.ts';

/** The tone of a screen. calm: nothing was sent yet; wait: in progress; good: paid; bad: ended, or not possible. */
type Tone = 'calm' | 'wait' | 'good' | 'bad';

/** One state of the page: the amount that matters now, the state as a sentence, and what can be done. */
export type ScreenView = {
  icon: IconName;
  tone: Tone;
  amountLabel: Sentence;
  /** Decimal string in the payment's currency. */
  amount: string;
  /** Whether the amount has a button that copies it. */
  copiesAmount?: boolean;
  title: Sentence;
  lead: HtmlValue;
  body: Html;
};
