import { clsx } from 'clsx';
import { type ReactNode, useRef } from 'react';
import { withinSentence } from '../../texts/within-sentence.ts';
import { Copy } from '../button/copy.tsx';
import { useOverflow } from '../layout/use-overflow.ts';

type CodeProps = {
  text: string;
  label: string;
  /** Long lines are broken: for what is read and no command, such as the body of a webhook. */
  wraps?: boolean;
  onCopied?: () => void;
};

/**
 * A block of code or a command, to be copied. Its lines are as they are written: long ones scroll sideways, since a line that
 * the page breaks looks like two. `label` names it.
 */
export function Code({ text, label, wraps = false, onCopied }: CodeProps): ReactNode {
  const region = useRef<HTMLFieldSetElement>(null);
  const overflows = useOverflow(region);
  return (
    <figure className="min-w-0 rounded-lg border border-line bg-sunken">
      <figcaption className="flex items-center justify-between gap-2 py-0.5 pr-1 pl-3 text-sm text-quiet">
        {label}
        <Copy text={text} what={withinSentence(label)} {...(onCopied && { onCopied })} />
      </figcaption>
      <fieldset
        ref={region}
        aria-label={overflows ? label : undefined}
        tabIndex={overflows ? 0 : undefined}
        className="min-w-0 overflow-x-auto border-t border-line -outline-offset-2"
      >
        <pre
          className={clsx(
            'px-3 py-2.5 font-mono text-sm',
            wraps ? 'wrap-anywhere whitespace-pre-wrap' : 'w-max min-w-full whitespace-pre',
          )}
        >
          {text}
        </pre>
      </fieldset>
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
