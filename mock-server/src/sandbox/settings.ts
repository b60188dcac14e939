export interface RateLimitSettings {
  readonly organization: number
  readonly user: number
  readonly windowSeconds: number
  readonly retryAfter?: boolean
}

/** Every option that changes what is answered; also the key `settings` of seeds, sandboxes and POST /_control/apply. */
export interface Settings {
  readonly vendor: string
  readonly realm: string
  readonly tokenPrefixes: { readonly access: string; readonly exchange: string; readonly refresh: string }
  readonly extraScopes: readonly string[]
  readonly maxListingDepth: number
  readonly metaDataValues: 'asGiven' | 'string'
  /** `real` = organization 200, user 50 per 60 s. */
  readonly rateLimits: RateLimitSettings | 'real' | null
  readonly tokenRateLimit: {
    readonly limit: number
    readonly windowSeconds: number
    readonly retryAfter?: boolean
  } | null
  readonly cancelGraceMs: number
  readonly jobExpiryMs: number
  readonly pollGraceMs: number
  readonly expLeewaySeconds: number
  readonly nbfLeewaySeconds: number
  readonly jtiRetentionSeconds: number
  readonly permittedMutations: readonly string[]
  readonly trustProxy: readonly string[]
  readonly jwksTimeoutMs: number
}

export const defaultSettings: Settings = {
  vendor: 'buildwire',
  realm: 'buildwire',
  tokenPrefixes: { access: 'bwua_', exchange: 'bwtx_', refresh: 'bwrt_' },
  extraScopes: [],
  maxListingDepth: 10_000,
  metaDataValues: 'asGiven',
  rateLimits: null,
  tokenRateLimit: null,
  cancelGraceMs: 0,
  jobExpiryMs: 30 * 86_400_000,
  pollGraceMs: 0,
  expLeewaySeconds: 0,
  nbfLeewaySeconds: 0,
  jtiRetentionSeconds: 86_400,
  permittedMutations: ['buildCancel', 'buildRebuild'],
  trustProxy: [],
  jwksTimeoutMs: 3000,
}
