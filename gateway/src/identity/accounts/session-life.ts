/** How long a session lives from the sign-in, and how long without use. */
export const sessionSeconds = 12 * 3600;
export const idleSeconds = 30 * 60;
/** How often its use is written down. */
export const seenEverySeconds = 60;
