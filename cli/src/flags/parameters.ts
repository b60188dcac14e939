import type { BodyName, OperationId, OperationTypes, QueryName } from '@buildwire/sdk/contract'

type ValueOf<Id extends OperationId, Name> = Id extends OperationId
  ? Name extends keyof OperationTypes[Id]['params']
    ? OperationTypes[Id]['params'][Name]
    : never
  : never

/**
 * All that an operation takes beside its path, each by name: a parameter that the contract gains does not compile until
 * a flag says what it is, or `undefined` and a remark why no flag does. No flag says `page`: the SDK turns the pages.
 */
export type Parameters<Id extends OperationId> = {
  readonly [Name in Exclude<QueryName<Id>, 'page'> | BodyName<Id>]: ValueOf<Id, Name> | undefined
}
