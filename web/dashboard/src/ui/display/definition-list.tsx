import { Fragment, type ReactNode } from 'react';
import { Id } from './code.tsx';

/** The name of a fact, and the fact; one that is undefined, null or false is left out. */
export type Fact = [name: string, fact: ReactNode];

/** Facts with their names. */
export function DefinitionList({ facts }: { facts: readonly Fact[] }): ReactNode {
  const known = facts.filter(([, fact]) => fact !== undefined && fact !== null && fact !== false);
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

/** The fact that is a hash, an address or another long id, to be copied; with `href` it leads to where others show it. */
export function idFact(
  name: string,
  what: string,
  text: string | null | undefined,
  href?: string | null,
): Fact {
  return [
    name,
    text == null ? null : <Id key={name} text={text} what={what} length={24} href={href ?? null} />,
  ];
}
