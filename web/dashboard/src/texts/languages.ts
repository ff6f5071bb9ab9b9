/** The languages of the dashboard by their codes, each under its own name. */
export const languages = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français', zh: '中文' } as const;
export type Language = keyof typeof languages;
