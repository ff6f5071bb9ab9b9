/** Our names of better-auth's tables and columns (0012_accounts.sql). */
const times = { createdAt: 'created_at', updatedAt: 'updated_at' };

export const accountModels = {
  user: { modelName: 'accounts', fields: { emailVerified: 'email_verified', ...times } },
  account: {
    modelName: 'credentials',
    fields: {
      userId: 'account_id',
      providerId: 'provider',
      accountId: 'provider_account_id',
      password: 'password_hash',
      ...times,
    },
  },
  session: {
    modelName: 'sessions',
    fields: {
      userId: 'account_id',
      expiresAt: 'expires_at',
      ipAddress: 'address',
      userAgent: 'user_agent',
      createdAt: 'created_at',
      updatedAt: 'seen_at',
    },
  },
  verification: { modelName: 'verifications', fields: { expiresAt: 'expires_at', ...times } },
};

export const twoFactorModels = {
  user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
  twoFactor: {
    modelName: 'two_factors',
    fields: { userId: 'account_id', backupCodes: 'recovery_codes' },
  },
};

export const passkeyModel = {
  passkey: {
    modelName: 'passkeys',
    fields: {
      userId: 'account_id',
      publicKey: 'public_key',
      credentialID: 'credential_id',
      deviceType: 'device_type',
      backedUp: 'backed_up',
      createdAt: 'created_at',
    },
  },
};
