export { undiciTransport } from '#transport'
export { type Clock, systemClock } from './base/clock.js'
export type {
  AttemptInfo,
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
} from './base/events.js'
export { parseTimestamp } from './base/timestamp.js'
export { CiClient, type GraphqlResult } from './client/client.js'
export {
  type BuildChange,
  type WaitOptions,
  type WatchOptions,
  waitForBuild,
  watchBuild,
} from './client/watch-build.js'
export type * from './contract/schemas.gen.js'
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
} from './errors/errors.js'
export type { ApiPromise, ResponseInfo } from './http/api-promise.js'
export type { ListOptions } from './http/caller.js'
export type { CallOptions, CiClientOptions, LinkOrigin } from './http/client-options.js'
export type { FreeRequest, FreeResponse } from './http/free-request.js'
export { findLink, type Link, parseLinkHeader } from './http/link-header.js'
export type { Page, PagePromise } from './http/page.js'
export {
  type AccessToken,
  staticToken,
  type TokenProvider,
  type TokenStore,
} from './http/token-provider.js'
export {
  type DeviceAuthorization,
  type DeviceAuthorizationParams,
  requestDeviceAuthorization,
} from './oauth/device-authorization.js'
export { ecdsaDerToJose } from './oauth/ecdsa-der.js'
export {
  type ExchangeParams,
  type TokenExchangeOptions,
  userEmailTokenType,
} from './oauth/exchange-params.js'
export type { Jwk, KeyHandle, SignerSource } from './oauth/key-form.js'
export type { OAuthOptions, Scope } from './oauth/oauth-call.js'
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
export { TokenExchange } from './oauth/token-exchange.js'
export { type TokenResponse, TokenSet } from './oauth/token-set.js'
export type { AccessTokenResource } from './resources/access-token.js'
export type { Annotations } from './resources/annotations.js'
export type { ArtifactContentOptions, Artifacts } from './resources/artifacts.js'
export {
  buildOutcome,
  isUnfamiliarState,
  type OutcomeOptions,
  promisedFailure,
  signalReasonWords,
  type WaitOutcome,
} from './resources/build-outcome.js'
export type { Builds } from './resources/builds.js'
export type { ByteStream } from './resources/byte-stream.js'
export type { Jobs } from './resources/jobs.js'
export type {
  LogStream,
  LogStreamOptions,
  LogTail,
  LogTailOptions,
} from './resources/log-stream.js'
export type { Organizations } from './resources/organizations.js'
export type { Pipelines } from './resources/pipelines.js'
export type { Tests } from './resources/tests.js'
export type { UserResource } from './resources/user.js'
export type * from './summary/failure-summary.js'
export { tellingStates } from './summary/log-lines.js'
export { logAbsence } from './summary/problem-log.js'
export { type SummaryOptions, summarizeFailure } from './summary/summarize-failure.js'
export { htmlText } from './summary/text.js'
export { type Fetch, fetchTransport } from './transport/fetch-transport.js'
export type { Timeouts } from './transport/limits.js'
export {
  BodyEncodingError,
  BodyTooLargeError,
  type ClosableTransport,
  type Middleware,
  type Transport,
  type TransportOptions,
  type TransportRequest,
  type TransportResponse,
  TransportTimeout,
  type UndiciDispatcher,
} from './transport/transport.js'
export type { UndiciTransportOptions } from './transport/undici-transport.js'
