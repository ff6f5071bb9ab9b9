import { mainPart } from './dom.ts';

type SentWords = { sentTitle: string; sentLead: string };

/** What the page said before, to say it again where nothing came of it. */
let before: { main: HTMLElement; title: string; lead: Node[]; tab: string } | undefined;

/**
 * Once the wallet has sent the payment, the page says only that: nothing on it offers to pay in another way or to cancel.
 * `words` is null where nothing is on its way.
 */
export function ownPage(words: SentWords | null): void {
  const main = mainPart();
  const title = main.querySelector('h1');
  const lead = main.querySelector<HTMLElement>('.lead');
  if (!title || !lead) return;
  if (words && before?.main !== main) {
    const { textContent } = title;
    before = { main, title: textContent ?? '', lead: [...lead.childNodes], tab: document.title };
    document.title = document.title.replace(before.title, () => words.sentTitle);
    main.dataset.sent = '';
    title.textContent = words.sentTitle;
    lead.textContent = words.sentLead;
  } else if (!words && before?.main === main) {
    delete main.dataset.sent;
    title.textContent = before.title;
    lead.replaceChildren(...before.lead);
    document.title = before.tab;
    before = undefined;
  }
}
