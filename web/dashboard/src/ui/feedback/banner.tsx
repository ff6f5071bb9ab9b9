import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

export type BannerTone = 'info' | 'paid' | 'waiting' | 'lost';

const tones = {
  info: { icon: Info, look: 'border-line bg-sunken text-ink' },
  paid: { icon: CircleCheck, look: 'border-paid bg-paid-soft text-paid' },
  waiting: { icon: TriangleAlert, look: 'border-waiting bg-waiting-soft text-waiting' },
  lost: { icon: CircleAlert, look: 'border-lost bg-lost-soft text-lost' },
} as const;

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
  const { icon: Icon, look } = tones[tone];
  return (
    <div role={role} className={clsx('flex flex-wrap items-center gap-3 rounded-xl border px-4 py-3', look)}>
      <Icon
        size={18}
        aria-hidden
        className={clsx('shrink-0', children !== undefined && 'self-start sm:mt-px')}
      />
      <div className="grid min-w-0 flex-1 basis-48 gap-0.5 text-sm wrap-anywhere">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children !== undefined && <div className={clsx(title !== undefined && 'text-ink')}>{children}</div>}
      </div>
      {action}
    </div>
  );
}
