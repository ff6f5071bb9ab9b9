export type BannerTone = 'info' | 'paid' | 'waiting' | 'lost';

const looks: Record<BannerTone, string> = {
  info: 'border-line bg-sunken text-ink',
  paid: 'border-paid bg-paid-soft text-paid',
  waiting: 'border-waiting bg-waiting-soft text-waiting',
  lost: 'border-lost bg-lost-soft text-lost',
};

/** The classes of a message that concerns the whole page or form, and those of its words. */
export const bannerClass = (tone: BannerTone): string =>
  `flex flex-wrap items-center gap-3 rounded-xl border px-4 py-3 ${looks[tone]}`;
export const bannerWordsClass = 'grid min-w-0 flex-1 basis-40 gap-0.5 text-sm wrap-anywhere';
