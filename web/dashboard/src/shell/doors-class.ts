/** The classes of the frame around the pages for somebody who is not signed in: one column. */
export const doorsClass = {
  page: 'mx-auto grid max-w-[440px] gap-6 px-4 py-8 sm:pt-[8dvh] sm:pb-16',
  head: 'flex items-center gap-2.5 text-lg font-semibold',
  main: 'grid gap-5 rounded-xl border border-line bg-surface p-5 shadow-soft sm:p-8',
} as const;
