import { expect, test } from 'vitest';
import { monthOf } from './month.ts';

test('a month has its name and both its ends, also across the turn of a year and in a leap year', () => {
  const now = new Date('2028-01-31T23:30:00Z');
  expect(monthOf(now, 0, 'utc')).toEqual({ name: 'January 2028', from: '2028-01-01', to: '2028-01-31' });
  expect(monthOf(now, 1, 'utc')).toEqual({ name: 'December 2027', from: '2027-12-01', to: '2027-12-31' });
  const march = new Date('2028-03-30T12:00:00Z');
  expect(monthOf(march, 1, 'utc')).toEqual({ name: 'February 2028', from: '2028-02-01', to: '2028-02-29' });
});
