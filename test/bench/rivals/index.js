/**
 * The clients that ours is compared with. This is plain JavaScript, because types are checked where
 * these packages are not installed.
 */
import { ConfidentialClientApplication } from '@azure/msal-node'
import { createAppAuth } from '@octokit/auth-app'
import { request } from '@octokit/request'
import { OAuth2Client } from 'google-auth-library'
import ky from 'ky'
import createOpenapiClient from 'openapi-fetch'

/** For each client, a function that gets one JSON document. */
export function getters(baseUrl, path, headers) {
  const typed = createOpenapiClient({ baseUrl, headers })
  return {
    '@octokit/request': () => request(`GET ${path}`, { baseUrl, headers }),
    'openapi-fetch': () => typed.GET(path),
    ky: () => ky.get(baseUrl + path, { headers }).json(),
  }
}

/** For each client, a function that gets a cached token without a request. */
export function cachedTokens(baseUrl, privateKey) {
  const google = new OAuth2Client()
  google.setCredentials({ access_token: 'cached', expiry_date: Number.MAX_SAFE_INTEGER })
  const msal = new ConfidentialClientApplication({
    auth: {
      clientId: '00000000-0000-0000-0000-000000000000',
      clientSecret: 'bench',
      authority: 'https://login.example/tenant',
      knownAuthorities: ['login.example'],
      authorityMetadata: JSON.stringify({
        authorization_endpoint: 'https://login.example/authorize',
        token_endpoint: 'https://login.example/token',
        issuer: 'https://login.example/tenant',
        jwks_uri: 'https://login.example/keys',
      }),
    },
    system: {
      networkClient: {
        sendGetRequestAsync: async () => ({ headers: {}, body: {}, status: 404 }),
        sendPostRequestAsync: async () => ({
          headers: {},
          body: {
            token_type: 'Bearer',
            access_token: 'cached',
            expires_in: 3600,
            ext_expires_in: 3600,
          },
          status: 200,
        }),
      },
    },
  })
  const answer = {
    status: 201,
    headers: {},
    url: '',
    data: {
      token: 'cached',
      expires_at: '2999-01-01T00:00:00Z',
      permissions: {},
      repository_selection: 'all',
    },
  }
  const app = createAppAuth({
    appId: 1,
    privateKey,
    request: Object.assign(async () => answer, {
      endpoint: { merge: (_route, options) => ({ ...options, baseUrl }) },
      defaults: () => request,
    }),
  })
  return {
    'google-auth-library': () => google.getAccessToken(),
    '@azure/msal-node': () => msal.acquireTokenByClientCredential({ scopes: ['api/.default'] }),
    '@octokit/auth-app': () => app({ type: 'installation', installationId: 1 }),
  }
}
