import type { Clock } from '../kit/clock.ts';

/** A network is not offered after a fault of this length: a shorter one ends before a customer has paid. */
export const unreadableSeconds = 180;

/** How long to wait for a second endpoint while only one answers. */
const patienceMs = 120_000;

/** For how long only one endpoint has answered. */
export type Silence = {
  /** To be called when no other endpoint answered. */
  begin(): void;
  /** To be called when another endpoint answered. */
  end(): void;
  /** Whether no other endpoint has answered for so long that one answer is enough. */
  lasts(): boolean;
};

export function createSilence(now: Clock): Silence {
  let since: Date | null = null;
  return {
    begin() {
      since ??= now();
    },
    end() {
      since = null;
    },
    lasts: () => since !== null && now().getTime() - since.getTime() >= patienceMs,
  };
}
