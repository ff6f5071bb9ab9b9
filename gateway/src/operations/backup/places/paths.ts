/** There is no file of this path in the place. */
export class NotPlaced extends Error {
  constructor(place: string, path: string) {
    super(`There is no ${path} in ${place}`);
    this.name = 'NotPlaced';
  }
}

const part = /^[A-Za-z0-9][A-Za-z0-9._-]{0,150}$/;

/** Throws unless each part of a path is a plain name, so that no path leads out of its place. */
export function assertPath(path: string): void {
  if (!path.split('/').every((each) => part.test(each))) throw new Error(`${path} is no path of a backup`);
}
