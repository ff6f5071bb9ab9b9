/** The look of text boxes and lists. 16 px on phones, where a smaller box makes the browser zoom. */
export const boxClass =
  'w-full min-w-0 rounded-lg border border-line-strong bg-surface px-3 text-base text-ink sm:text-sm ' +
  'placeholder:text-quiet disabled:bg-sunken disabled:text-quiet aria-invalid:border-lost';
