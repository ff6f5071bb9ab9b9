export type FailoverPrograms = { patroni: string; etcd: string; haproxy: string; postgres: string };
export function findFailover(): FailoverPrograms | undefined;
export function ensureFailover(): void;
