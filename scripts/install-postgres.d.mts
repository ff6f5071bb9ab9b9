export function findPostgres15(): string | undefined;
export function findPgBouncer(): string | undefined;
export function ensurePostgres15(): void;
