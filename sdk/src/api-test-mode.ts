// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

/** What `test.simulate` can make of a test payment. */
export type SimulatedOutcome =
  | 'success'
  | 'failure'
  | 'expire'
  | 'underpaid'
  | 'overpaid'
  | 'split'
  | 'late'
  | 'wrong_token'
  | 'slow'
  | 'reorg'
  | 'dispute';

/** Body of `test.simulate`. */
export type SimulateInput = {
  outcome: SimulatedOutcome;
};

/** What the test clock of the integration shows. */
export type TestClock = {
  now: string;
};
