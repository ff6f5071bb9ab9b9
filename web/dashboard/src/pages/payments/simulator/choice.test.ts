import { expect, test } from 'vitest';
import { joins, pressed } from './choice.ts';
import type { Outcome } from './queries.ts';

const scenario = (outcome: Outcome, ...combines_with: Outcome[]) => ({
  outcome,
  combines_with,
  title: '',
  happens: '',
  ends: '',
  takes_amount: true,
});
const scenarios = [
  scenario('success', 'slow', 'late'),
  scenario('underpaid', 'slow', 'late'),
  scenario('slow', 'success', 'underpaid', 'late'),
  scenario('late', 'success', 'underpaid', 'slow'),
];
const press = (chosen: Outcome[], outcome: Outcome) => pressed(scenarios, chosen, outcome);

test('an outcome joins those that it combines with, and takes the place of the others', () => {
  expect(press(['success'], 'slow')).toEqual(['success', 'slow']);
  expect(press(['success', 'slow'], 'underpaid')).toEqual(['slow', 'underpaid']);
  expect(joins(scenarios[1]!, ['success', 'slow'])).toBe(false);
  expect(joins(scenarios[3]!, ['success', 'slow'])).toBe(true);
});

test('one that is pressed again leaves, unless it is the last', () => {
  expect(press(['success', 'slow'], 'success')).toEqual(['slow']);
  expect(press(['slow'], 'slow')).toEqual(['slow']);
});
