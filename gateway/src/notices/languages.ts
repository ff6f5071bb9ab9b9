/** The languages of notices: those of the dashboard. */
export const noticeLanguages = ['en', 'de', 'es', 'fr', 'zh'] as const;
export type NoticeLanguage = (typeof noticeLanguages)[number];
