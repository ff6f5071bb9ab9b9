export function missingForShops(): string[];
export function ensureShops(): void;
