const { PATH = '', NODE_COMPILE_CACHE } = process.env;

/** What a program of ours is started with, besides its settings. With the cache it needs half the time to start. */
export const childEnvironment: Record<string, string> = {
  PATH,
  ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }),
};
