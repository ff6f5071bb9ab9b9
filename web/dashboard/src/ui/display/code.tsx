import type { ReactNode } from 'react';
import { withinSentence } from '../../texts/within-sentence.ts';
import { Copy } from '../button/copy.tsx';

/** A block of code or a command, to be copied. Long lines wrap. `label` names it. */
export function Code({ text, label }: { text: string; label: string }): ReactNode {
  return (
    <figure className="min-w-0 rounded-lg border border-line bg-sunken">
      <figcaption className="flex items-center justify-between gap-2 py-0.5 pr-1 pl-3 text-sm text-quiet">
        {label}
        <Copy text={text} what={withinSentence(label)} />
      </figcaption>
      <pre className="border-t border-line px-3 py-2.5 font-mono text-sm wrap-anywhere whitespace-pre-wrap">
        {text}
      </pre>
    </figure>
  );
}

type IdProps = { text: string; what: string; length?: number; href?: string | null };

/**
 * A key, hash or identifier within a line, shortened in the middle when it is long, and copied whole. With `href`,
 * where others show it, it leads there in another tab.
 */
export function Id({ text, what, length = 16, href = null }: IdProps): ReactNode {
  const half = Math.floor((length - 1) / 2);
  const shown = text.length > length ? `${text.slice(0, half)}…${text.slice(-half)}` : text;
  return (
    <span className="-my-1.5 inline-flex max-w-full items-center gap-1 align-middle">
      {href === null ? (
        <span className="truncate font-mono" title={text}>
          {shown}
        </span>
      ) : (
        <a
          className="truncate font-mono text-accent-strong underline-offset-4 hover:underline"
          title={text}
          href={href}
          target="_blank"
          rel="noreferrer"
        >
          {shown}
        </a>
      )}
      <Copy text={text} what={what} small />
    </span>
  );
}
