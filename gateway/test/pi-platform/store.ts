import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { PaymentDto } from './payment.ts';

export type PaymentStore = {
  get(identifier: string): PaymentDto | undefined;
  all(): PaymentDto[];
  /** Keeps a payment as it is now; on the disk when this returns, where there is a file. */
  put(payment: PaymentDto): PaymentDto;
  close(): void;
};

/**
 * Payments by identifier, in the order in which they were made. With a file every state of each is a line of it, so
 * that a process that is killed goes on where it stood; a line that was torn then is dropped.
 */
export function openStore(file: string | null): PaymentStore {
  const payments = new Map<string, PaymentDto>();
  const journal = file === null ? null : openSync(file, 'a+', 0o600);
  if (file !== null && journal !== null) {
    const text = readFileSync(file, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    ftruncateSync(journal, Buffer.byteLength(whole));
    for (const line of whole.split('\n').slice(0, -1)) {
      const payment = JSON.parse(line) as PaymentDto;
      payments.set(payment.identifier, payment);
    }
  }
  return {
    get: (identifier) => payments.get(identifier),
    all: () => [...payments.values()],
    put(payment) {
      if (journal !== null) {
        writeSync(journal, `${JSON.stringify(payment)}\n`);
        fsyncSync(journal);
      }
      payments.set(payment.identifier, payment);
      return payment;
    },
    close() {
      if (journal !== null) closeSync(journal);
    },
  };
}
