/** The part of oidc-provider that the tests use; the package ships no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  interface Context {
    oidc: { params: Record<string, string | undefined>; client: { clientId: string } }
    body: unknown
    status: number
  }

  interface Saved {
    save(ttlSeconds?: number): Promise<string>
  }

  interface DeviceCode extends Saved {
    accountId?: string
    grantId?: string
    scope?: string
    claims?: object
    error?: string
    errorDescription?: string
    params: { scope: string }
    remainingTTL: number
  }

  export class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    registerGrantType(
      name: string,
      handler: (context: Context) => Promise<void>,
      parameters: string[],
    ): void
    Grant: new (of: {
      accountId: string
      clientId: string
    }) => Saved & { addOIDCScope(scope: string): void }
    DeviceCode: { findByUserCode(userCode: string): Promise<DeviceCode | undefined> }
  }
  export default Provider
}
