/** Begins this process anew under the settings, with the same number, unless its environment has such ones already. */
export function withTightMemory(): void;
