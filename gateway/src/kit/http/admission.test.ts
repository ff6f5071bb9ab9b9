import { beforeEach, expect, test } from 'vitest';
import { type Admission, createAdmission } from './admission.ts';

let nowMs: number;
let admission: Admission;
beforeEach(() => {
  nowMs = 0;
  admission = createAdmission(() => nowMs);
});

/** Lets so many come at this moment; returns what ends each that was taken. */
function come(count: number): (() => void)[] {
  return Array.from({ length: count }, () => admission.enter()).filter((leave) => leave !== null);
}

test('512 that come at once are taken, and the next is refused', () => {
  expect(come(513)).toHaveLength(512);
  expect(admission.refused()).toBe(1);
});

test('while there are too many, 128 are taken at a time', () => {
  const taken = come(600);
  for (const leave of taken.slice(0, 384)) leave();
  expect(come(1)).toHaveLength(0);
  for (const leave of taken.slice(384, 394)) leave();
  expect(come(100)).toHaveLength(10);
});

test('after a quarter of a second without a refusal it takes 512 again', () => {
  for (const leave of come(600)) leave();
  nowMs = 249;
  for (const leave of come(512)) leave();
  expect(admission.refused()).toBe(88 + 384);
  nowMs = 498;
  expect(come(512)).toHaveLength(128);
  nowMs = 498 + 250;
  expect(come(512)).toHaveLength(512 - 128);
});

test('what waits longer than two seconds is not counted, and its end changes nothing', () => {
  const streams = come(512);
  nowMs = 2_000;
  const taken = come(512);
  expect(taken).toHaveLength(512);
  for (const leave of streams) leave();
  expect(come(1)).toHaveLength(0);
});

test('a clock that is set back does not lock anyone out', () => {
  nowMs = 100_000;
  come(600);
  nowMs = 0;
  for (const leave of come(512)) leave();
  nowMs = 3_000;
  expect(come(512)).toHaveLength(512);
});
