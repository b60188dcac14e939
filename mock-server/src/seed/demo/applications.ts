import { digest } from '../../digest.js'
import { standardScopes } from '../../domain/scope.js'
import type { ApplicationRecord } from '../../store/records.js'
import type { SeedContext } from '../context.js'

/** Public half of `examples/keys/demo-token-exchange.private.pem`, a test value that everybody may read. */
const demoKey = {
  kty: 'EC',
  crv: 'P-256',
  x: 'r52AOn-3EYIFgsguxpw0brfxgG0id5gONJk7v60zYss',
  y: '-WLKrRs6yOisk_MPlHF1D-kUIS19Utj0syTCMaJH45M',
  alg: 'ES256',
  use: 'sig',
  kid: 'demo-1',
} as const

/** A public and a confidential device application, and one for token exchange. */
export function makeApplications(context: SeedContext, created_at: string): readonly ApplicationRecord[] {
  const base = {
    enabled: true,
    grantableScopes: [...standardScopes],
    clientType: 'public',
    clientSecretDigest: null,
    accessTokenTtlSeconds: null,
    refreshTokens: false,
    jwks: null,
    jwks_uri: null,
    defaultScopes: [],
    allowedIpAddresses: [],
    maximumTokenTtlSeconds: 3_600,
    created_at,
  } as const
  return [
    {
      ...base,
      id: context.uuid('application'),
      kind: 'device',
      client_id: 'demo-terminal',
      name: 'Acme Terminal',
      description: 'Builds at the command line',
      accessTokenTtlSeconds: 28_800,
      refreshTokens: true,
    },
    {
      ...base,
      id: context.uuid('application'),
      kind: 'device',
      client_id: 'demo-wallboard',
      name: 'Acme Wallboard',
      description: 'The screen in the hallway',
      clientType: 'confidential',
      clientSecretDigest: digest(context.clientSecret('demo-wallboard')),
      grantableScopes: ['read_builds', 'read_pipelines', 'read_suites'],
    },
    {
      ...base,
      id: context.uuid('application'),
      kind: 'token_exchange',
      client_id: 'demo-deploy-bot',
      name: 'Acme Deploy Bot',
      description: 'Acts as the engineer who asked for a deployment',
      grantableScopes: ['read_builds', 'write_builds', 'read_build_logs', 'read_suites', 'read_user', 'graphql'],
      defaultScopes: ['read_builds'],
      jwks: { keys: [demoKey] },
    },
  ]
}
