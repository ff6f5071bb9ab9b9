import { Fragment, type ReactNode } from 'react';

/** Facts with their names. Facts that are undefined or null are left out. */
export function DefinitionList({ facts }: { facts: readonly [name: string, fact: ReactNode][] }): ReactNode {
  const known = facts.filter(([, fact]) => fact !== undefined && fact !== null);
  return (
    <dl className="grid min-w-0 gap-x-6 gap-y-0.5 text-sm sm:grid-cols-[minmax(8rem,auto)_minmax(0,1fr)] sm:gap-y-2.5">
      {known.map(([name, fact]) => (
        <Fragment key={name}>
          <dt className="text-quiet">{name}</dt>
          <dd className="min-w-0 wrap-anywhere max-sm:mb-2.5">{fact}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
