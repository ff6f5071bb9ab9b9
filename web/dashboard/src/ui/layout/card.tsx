import { clsx } from 'clsx';
import { type ReactNode, useId } from 'react';

export type SectionProps = {
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
};

/** A part of a page with its own heading, on the page's background. */
export function Section({ title, description, actions, children, className }: SectionProps): ReactNode {
  const id = useId();
  return (
    <section
      aria-labelledby={title === undefined ? undefined : id}
      className={clsx('grid min-w-0 gap-3', className)}
    >
      <Heading id={id} {...{ title, description, actions }} />
      {children}
    </section>
  );
}

/** The same in a frame with its own background. */
export function Card({ title, description, actions, children, className }: SectionProps): ReactNode {
  const id = useId();
  return (
    <section
      aria-labelledby={title === undefined ? undefined : id}
      className={clsx(
        'grid min-w-0 content-start gap-4 rounded-xl border border-line bg-surface p-4 sm:p-5',
        className,
      )}
    >
      <Heading id={id} {...{ title, description, actions }} />
      {children}
    </section>
  );
}

type HeadingProps = { id: string; title: ReactNode; description: ReactNode; actions: ReactNode };

function Heading({ id, title, description, actions }: HeadingProps): ReactNode {
  if (title === undefined && actions === undefined) return null;
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="grid min-w-0 gap-0.5">
        {title !== undefined && (
          <h2 id={id} className="text-base font-semibold">
            {title}
          </h2>
        )}
        {description !== undefined && <p className="text-sm text-pretty text-quiet">{description}</p>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}
