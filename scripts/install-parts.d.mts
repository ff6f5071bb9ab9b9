/** The arguments of npm to install these parts with the base. */
export function npmArguments(root: string, parts: readonly string[]): string[];

/** Whether the Node of this version can stand in for the one that the packages bring: the same line, and not older. */
export function canStandIn(root: string, version: string): boolean;
