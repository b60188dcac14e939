export { type Clock, systemClock } from './clock.js'
export {
  ApiError,
  type ApiErrorCode,
  type CiError,
  type CiErrorByCode,
  type CiErrorCode,
  ConfigError,
  ConnectionError,
  DeviceAuthorizationError,
  type FieldError,
  InvalidResponseError,
  isCiError,
  OAuthError,
  PaginationError,
  RateLimitError,
  type Sent,
  TimeoutError,
  type TimeoutKind,
  UnprocessableError,
} from './errors.js'
export type {
  BuildEvent,
  CiEvent,
  CiEventListener,
  DeviceEvent,
  RateLimitEvent,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  StoreErrorEvent,
  TokenEvent,
} from './events.js'
export type { Middleware, Transport, TransportOptions, TransportRequest, TransportResponse } from './http/transport.js'
export { type DeviceAuthorizationParams, requestDeviceAuthorization } from './oauth/device-authorization.js'
export { ecdsaDerToJose } from './oauth/ecdsa-der.js'
export type { ExchangeParams, TokenExchangeOptions } from './oauth/exchange-params.js'
export type { OAuthOptions } from './oauth/oauth-options.js'
export type { DeviceAuthorization } from './oauth/pending-authorization.js'
export type { SignerSource } from './oauth/private-key.js'
export { type RefreshParams, type RefreshStore, refreshingTokenProvider } from './oauth/refresh.js'
export {
  type AssertionSigner,
  createSigner,
  type GeneratedSigningKey,
  generateSigningKey,
  type PublicJwk,
  publicJwks,
  type SigningAlgorithm,
} from './oauth/signing-keys.js'
export { userEmailTokenType } from './oauth/subject-token-type.js'
export { TokenExchange } from './oauth/token-exchange.js'
export { type AccessToken, staticToken, type TokenProvider, type TokenStore } from './oauth/token-provider.js'
export type { TokenResponse } from './oauth/token-response.js'
export { TokenSet } from './oauth/token-set.js'
