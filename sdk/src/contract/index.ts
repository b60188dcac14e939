export { emojify } from './emojify.js'
export {
  dropEscapes,
  type LogEscapes,
  type LogLine,
  logLine,
  logLines,
} from './log-lines.js'
export type * from './operations.gen.js'
export {
  ARTIFACT_STATES,
  BUILD_STATES,
  JOB_STATES,
  operations,
  RETRY_STATES,
  SCOPES,
} from './operations.gen.js'
export type * from './schemas.gen.js'
export {
  type JsonObject,
  type JsonValue,
  type OpenApiDocument,
  responseSchemaPointer,
  serverDocument,
} from './server-document.js'
export { type StateKind, type StateMark, stateMark } from './state-marks.js'
