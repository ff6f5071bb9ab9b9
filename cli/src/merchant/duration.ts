import { InvalidArgumentError } from 'commander';
import { now } from '../clock.ts';

const secondsOf: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `90`, `90s`, `10m`, `1h30m`, `2d` in seconds. */
export function readDuration(text: string): number {
  const seconds = secondsIn(text);
  if (seconds === null) throw new InvalidArgumentError('It must be a duration such as 90s, 10m or 1h30m.');
  return seconds;
}

function secondsIn(text: string): number | null {
  if (/^\d{1,9}$/.test(text)) return Number.parseInt(text, 10);
  const parts = [...text.matchAll(/(\d{1,9})([smhd])/g)];
  const isWhole = parts.map(([part]) => part).join('') === text;
  if (text === '' || !isWhole) return null;
  return parts.reduce((sum, [, count, unit]) => sum + Number.parseInt(count!, 10) * secondsOf[unit!]!, 0);
}

/** Reads durations from one to another, both included: `durationWithin('1s', '7d')`. */
export function durationWithin(least: string, most: string): (text: string) => number {
  return (text) => {
    const seconds = readDuration(text);
    if (seconds >= readDuration(least) && seconds <= readDuration(most)) return seconds;
    throw new InvalidArgumentError(`It must be a duration from ${least} to ${most}.`);
  };
}

/** A time: ISO 8601, or a duration before now such as `10m`. As ISO 8601 UTC. */
export function readTime(text: string): string {
  const ago = secondsIn(text);
  const date = /^\d{4}-\d{2}-\d{2}/.test(text) ? text : '';
  const time = new Date(ago === null ? date : now().getTime() - ago * 1000);
  if (Number.isNaN(time.getTime())) {
    throw new InvalidArgumentError(
      'It must be a time in ISO 8601 such as 2026-11-21T14:00:00Z, or a duration before now such as 10m or 1h30m.',
    );
  }
  return time.toISOString();
}
