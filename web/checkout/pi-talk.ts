import { byId } from './dom.ts';
import { line } from './elements.ts';

/** What the part about Pi shows. */
export type PiTalk = {
  /** What is being waited for; null while nothing is. */
  waiting: string | null;
  problem: string | null;
  /** The transaction that Pi has sent; null while there is none. */
  sent: string | null;
};

/** What nobody may do any more who has sent: pay in another way, or cancel. */
const overOnceSent = ['by-transfer', 'other-methods', 'cancel'];

/** Draws the part anew. */
export function showPiTalk({ waiting, problem, sent }: PiTalk, sentText: string): void {
  const button = byId('pay-pi');
  const box = byId('pi-talk');
  if (!button || !box) return;
  button.ariaDisabled = `${waiting !== null}`;
  button.hidden = sent !== null;
  for (const id of overOnceSent) byId(id)?.toggleAttribute('hidden', sent !== null);
  box.replaceChildren(
    ...(waiting ? [line('waiting', waiting)] : []),
    ...(problem ? [line('problem', problem)] : []),
    ...(sent && !problem ? [line('sent', sentText)] : []),
    ...(sent ? [line('code', sent)] : []),
  );
}
