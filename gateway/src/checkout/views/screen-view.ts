import type { Html, HtmlValue } from '../../kit/http/html.ts';
import type { IconName } from '../icons.ts';
import type { Sentence } from '../messages/translate.ts';
import type { OrderSum } from './order.ts';

/** The tone of a screen. calm: nothing was sent yet; wait: in progress; good: paid; bad: ended, or not possible. */
type Tone = 'calm' | 'wait' | 'good' | 'bad';

/** One state of the page: the sum of the order, the state as a sentence, and what can be done. */
export type ScreenView = OrderSum & {
  icon: IconName;
  tone: Tone;
  title: Sentence;
  lead: HtmlValue;
  /** Beside the action on a desk and before it on a phone: the simulator, or a code, which a phone does not show. */
  beside?: Html | null;
  /** The one action, or what happens by itself. */
  body: Html;
  /** What few people need, each behind a line. */
  more: Html;
};
