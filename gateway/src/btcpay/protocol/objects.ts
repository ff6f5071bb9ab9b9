import { unprocessable } from './problems.ts';

/** An object of a body, by its path; absent and null are an empty one. Throws 422 for anything else. */
export function objectOf(value: unknown, path: string): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw unprocessable(path, 'Must be an object');
  return value as Record<string, unknown>;
}
