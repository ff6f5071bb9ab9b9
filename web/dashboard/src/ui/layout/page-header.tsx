import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { AsOf } from './as-of.tsx';

export type PageHeaderProps = {
  /** The page's heading, and the title of the window unless that says more. */
  title: string;
  windowTitle?: string;
  description?: ReactNode;
  /** Beside the heading, such as a badge. */
  aside?: ReactNode;
  /** Above the heading: a link to the list that this page belongs to. */
  back?: ReactNode;
  /** Buttons at the end of the line. */
  actions?: ReactNode;
};

/** Every page begins with one. The heading takes the focus when the page opens, which is how it is announced. */
export function PageHeader({
  title,
  windowTitle = title,
  description,
  aside,
  back,
  actions,
}: PageHeaderProps): ReactNode {
  useEffect(() => {
    document.title = `${windowTitle} · Florin`;
  }, [windowTitle]);
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="grid min-w-0 gap-1">
        {back !== undefined && (
          <p className="flex items-center gap-1 text-sm text-quiet">
            <ArrowLeft size={14} aria-hidden /> {back}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 tabIndex={-1} className="text-lg font-semibold wrap-anywhere sm:text-xl">
            {title}
          </h1>
          {aside}
        </div>
        {description !== undefined && (
          <p className="max-w-2xl text-sm text-pretty text-quiet">{description}</p>
        )}
        <AsOf />
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
    </header>
  );
}
