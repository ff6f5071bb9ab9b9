export function findPromtool(): string | undefined;
export function ensurePromtool(): void;
