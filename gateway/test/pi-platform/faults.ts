/** What goes wrong with requests, for as many of them as it says. */
export type PlatformFault = {
  /** Only requests whose `METHOD path` this matches; absent: any. */
  on?: RegExp;
  /** 1 by default. */
  times?: number;
  /** Milliseconds until it goes on. */
  delayMs?: number;
  /** Whether what was asked for is done first, and only its answer is lost; false by default. */
  afterEffect?: boolean;
  /** Answers with this status; absent: `delayMs` alone, or the connection is cut. */
  status?: number;
  headers?: Record<string, string>;
  /** Cuts the connection instead of an answer. */
  cut?: boolean;
};

export type PlatformFaults = {
  add(fault: PlatformFault): void;
  clear(): void;
  /** The first fault that a request meets; it is spent by that. */
  take(request: string): PlatformFault | undefined;
};

export function createFaults(): PlatformFaults {
  let waiting: (PlatformFault & { left: number })[] = [];
  return {
    add: (fault) => waiting.push({ ...fault, left: fault.times ?? 1 }),
    clear() {
      waiting = [];
    },
    take(request) {
      const fault = waiting.find(({ on }) => on?.test(request) ?? true);
      if (fault && --fault.left === 0) waiting = waiting.filter((each) => each !== fault);
      return fault;
    },
  };
}
