// The transfers of one payment in the model of its life, in plain numbers.

export type ModelTransfer = {
  units: number;
  state: 'seen' | 'final' | 'gone';
  /** When it came: as of when it counts. */
  seenAt: number;
  goneAt: number;
};

export type ModelReport = Pick<ModelTransfer, 'units' | 'state'> & { key: string; takenAt: number };

/** Notes a state of a transfer among others. Returns how it was; what is final stays so until it is gone. */
export function noteTransfer(
  transfers: Map<string, ModelTransfer>,
  { key, units, state, takenAt }: ModelReport,
  now: number,
): ModelTransfer | undefined {
  const before = transfers.get(key);
  if (before?.state === 'final' && state !== 'gone') return before;
  const goneAt = before?.state === 'gone' ? before.goneAt : now;
  transfers.set(key, { units, state, seenAt: before?.seenAt ?? takenAt, goneAt });
  return before;
}
