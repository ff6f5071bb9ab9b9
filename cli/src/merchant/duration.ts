import { InvalidArgumentError } from 'commander';
import { now } from '../clock.ts';

const secondsOf: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `90`, `90s`, `10m`, `1h30m`, `2d` in seconds. */
export function readDuration(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number.parseInt(text, 10);
  const parts = [...text.matchAll(/(\d{1,9})([smhd])/g)];
  const isWhole = parts.map(([part]) => part).join('') === text;
  if (text === '' || !isWhole)
    throw new InvalidArgumentError('It must be a duration such as 90s, 10m or 1h30m.');
  return parts.reduce((sum, [, count, unit]) => sum + Number.parseInt(count!, 10) * secondsOf[unit!]!, 0);
}

/** A time: ISO 8601, or a duration before now such as `10m`. As ISO 8601 UTC. */
export function readTime(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}/.test(text))
    return new Date(now().getTime() - readDuration(text) * 1000).toISOString();
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('It must be a time such as 2026-11-21T14:00:00Z.');
  return time.toISOString();
}
