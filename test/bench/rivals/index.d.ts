type RivalCall = () => Promise<unknown>

export function getters(
  baseUrl: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Record<'@octokit/request' | 'openapi-fetch' | 'ky', RivalCall>

export function cachedTokens(
  baseUrl: string,
  privateKey: string,
): Record<'google-auth-library' | '@azure/msal-node' | '@octokit/auth-app', RivalCall>
