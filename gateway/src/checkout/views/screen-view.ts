import type { Html, HtmlValue } from '../../kit/http/html.ts';
import type { IconName } from '../icons.ts';
import type { Sentence } from '../messages/translate.ts';

/** How a screen feels: nothing happened yet, money is under way, it is paid, or something ended. */
export type Tone = 'calm' | 'wait' | 'good' | 'bad';

/** One state of the page: the amount that matters now, the state as a sentence, and what can be done. */
export type ScreenView = {
  icon: IconName;
  tone: Tone;
  amountLabel: Sentence;
  /** Decimal string in the payment's currency. */
  amount: string;
  title: Sentence;
  lead: HtmlValue;
  body: Html;
};
