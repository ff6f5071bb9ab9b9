export const mayRun: readonly { scope: string; script: string; why: string }[];
export const mayNotRun: Readonly<Record<string, string>>;
export function runScripts(root: string): string | undefined;
