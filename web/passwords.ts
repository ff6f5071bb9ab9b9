// Helps people with the passwords that they type. The gateway alone decides which ones it takes.

/** Bits that a character adds: one that goes on from the one before it, one that was there before, and any other. */
const bits = { next: 1, again: 2.5, other: 4.5 };
const shortest = 12;
const levels = [40, 60];

/** How hard a password is to guess: 0 weak, 1 fair, 2 strong. */
export function strengthOf(password: string): number {
  const seen = new Set<string>();
  let sum = 0;
  let before = Number.NaN;
  for (const character of password) {
    const code = character.codePointAt(0) ?? 0;
    const isNext = Math.abs(code - before) <= 1;
    sum += isNext ? bits.next : seen.has(character) ? bits.again : bits.other;
    seen.add(character);
    before = code;
  }
  return [...password].length < shortest ? 0 : levels.filter((level) => sum >= level).length;
}
