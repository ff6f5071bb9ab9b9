import type { Clock } from '../../../../kit/clock.ts';

/** How long the word of a second endpoint is waited for, while no other one answers. */
const patienceMs = 120_000;

/** How long all endpoints but one have been silent. */
export type Silence = {
  /** No other one answered just now. */
  begin(): void;
  /** Another one answered. */
  end(): void;
  /** Whether no other one has answered for so long that one endpoint has to do. */
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
