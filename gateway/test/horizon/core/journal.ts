import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** A ledger: the rest follows from applying its envelopes again. */
export type JournalEntry = { closedAt: Date; baseFee: bigint; envelopes: string[] };

export type Journal = {
  /** What was there when it was opened. */
  entries: JournalEntry[];
  append(entry: JournalEntry): void;
  end(): void;
};

type Line = { passphrase: string; closed_at: string; base_fee: string; envelopes: string[] };

/** Opens a file of one ledger a line. A last line that was cut short when its writer died is dropped. */
export function openJournal(path: string, passphrase: string): Journal {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'a+', 0o600);
  const text = readFileSync(path, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) ftruncateSync(file, Buffer.byteLength(whole));
  const lines = whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
  if (lines.some((line) => line.passphrase !== passphrase)) {
    throw new Error(`${path} is the ledger of another network`);
  }
  return {
    entries: lines.map(({ closed_at, base_fee, envelopes }) => ({
      closedAt: new Date(closed_at),
      baseFee: BigInt(base_fee),
      envelopes,
    })),
    append({ closedAt, baseFee, envelopes }) {
      const line: Line = {
        passphrase,
        closed_at: closedAt.toISOString(),
        base_fee: baseFee.toString(),
        envelopes,
      };
      writeSync(file, `${JSON.stringify(line)}\n`);
      fsyncSync(file);
    },
    end: () => closeSync(file),
  };
}
