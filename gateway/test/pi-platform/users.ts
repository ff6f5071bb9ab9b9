import { randomBytes, randomUUID } from 'node:crypto';
import { Keypair } from '@stellar/stellar-sdk';

/** Somebody with the Pi app, and a wallet in it. */
export type PiUser = {
  /** Names this user to this app alone. */
  uid: string;
  username: string;
  accessToken: string;
  wallet: Keypair;
};

export type Users = {
  /** Their uid and access token are made up where none are given. */
  add(user: { username: string } & Partial<PiUser>): PiUser;
  byUid(uid: string): PiUser | undefined;
  byName(username: string): PiUser | undefined;
  byToken(token: string): PiUser | undefined;
  /** Who uses the app where nobody is named. */
  first(): PiUser | undefined;
};

export function createUsers(): Users {
  const users: PiUser[] = [];
  return {
    add(given) {
      const user = {
        uid: randomUUID(),
        accessToken: randomBytes(32).toString('base64url'),
        wallet: Keypair.random(),
        ...given,
      };
      users.push(user);
      return user;
    },
    byUid: (uid) => users.find((user) => user.uid === uid),
    byName: (username) => users.find((user) => user.username === username),
    byToken: (token) => users.find((user) => user.accessToken === token),
    first: () => users[0],
  };
}
