/** The languages of the dashboard by their codes, each under its own name. */
export const languages = { en: 'English' } as const;
export type Language = keyof typeof languages;
