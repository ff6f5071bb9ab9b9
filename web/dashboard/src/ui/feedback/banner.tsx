import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { type BannerTone, bannerClass, bannerWordsClass } from './banner-class.ts';

export type { BannerTone };

const icons = { info: Info, paid: CircleCheck, waiting: TriangleAlert, lost: CircleAlert };

export type BannerProps = {
  tone?: BannerTone;
  title?: ReactNode;
  children?: ReactNode;
  /** Beside the words on a wide screen, below them on a narrow one. */
  action?: ReactNode;
  role?: 'alert' | 'status';
};

/** A message that concerns the whole page or form. */
export function Banner({ tone = 'info', title, children, action, role }: BannerProps): ReactNode {
  const Icon = icons[tone];
  return (
    <div role={role} className={bannerClass(tone)}>
      <Icon
        size={18}
        aria-hidden
        className={clsx('shrink-0', children !== undefined && 'self-start sm:mt-px')}
      />
      <div className={bannerWordsClass}>
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children !== undefined && <div className={clsx(title !== undefined && 'text-ink')}>{children}</div>}
      </div>
      {action}
    </div>
  );
}
