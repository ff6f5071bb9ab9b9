/** The side from which appeals are opened: the paths of its calls, and what this person may do. */
export type Side = {
  as: 'merchant' | 'operator';
  /** `/console/.../appeals`. */
  base: string;
  mayAnswer: boolean;
  mayDecide: boolean;
  /** Paths whose reads are stale after a decision, beside the appeals themselves. */
  changes: readonly string[];
};
