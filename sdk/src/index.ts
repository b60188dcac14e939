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
