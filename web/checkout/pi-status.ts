import { byId } from './dom.ts';
import { line } from './elements.ts';
import { ownPage } from './sent.ts';

/** What the part for paying with Pi shows. */
export type PiStatus = {
  /** The text about what the page waits for; null when it waits for nothing. */
  waiting: string | null;
  problem: string | null;
  /** The transaction that Pi has sent; null while there is none. */
  sent: string | null;
};

/** Draws the part again. */
export function showPiStatus(
  { waiting, problem, sent }: PiStatus,
  words: { sentTitle: string; sentLead: string },
): void {
  const button = byId('pay-pi');
  const box = byId('pi-status');
  if (!button || !box) return;
  button.ariaDisabled = `${waiting !== null}`;
  button.hidden = sent !== null;
  ownPage(sent === null ? null : words);
  box.replaceChildren(
    ...(waiting ? [line('waiting', waiting)] : []),
    ...(problem ? [line('problem', problem)] : []),
    ...(sent ? [line('code sent', sent)] : []),
  );
}
