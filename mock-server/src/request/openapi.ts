import {
  type OperationId,
  operations,
  responseSchemaPointer,
  serverDocument,
} from '@buildwire/sdk/contract'
import { contract } from '../base/contract.js'
import { once } from '../base/once.js'
import type { Settings } from '../seed/settings.js'
import { answerValue } from './answer.js'
import type { HandlerAnswer, Urls } from './exchange.js'

const authPaths: ReadonlySet<string> = new Set(
  Object.values(operations).flatMap(({ server, path }) => (server === 'auth' ? [path] : [])),
)

export function openapiBytes({ baseUrl, authUrl }: Urls): Uint8Array {
  const paths = Object.entries(contract.paths).map(([path, item]) => [
    path,
    authPaths.has(path) ? { ...item, servers: [{ url: authUrl }] } : item,
  ])
  return Buffer.from(
    JSON.stringify({
      ...contract,
      servers: [{ url: baseUrl }],
      paths: Object.fromEntries(paths),
    }),
  )
}

class ContractViolation extends Error {
  override readonly name = 'ContractViolation'
}

/** Loads the validator of answers, which only tests and `--strict` use. */
export async function loadStrictCheck() {
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  // The server's own promises are not checked in the recorded dialect.
  const documents = { documented: serverDocument(contract), recorded: contract }
  for (const [dialect, document] of Object.entries(documents)) ajv.addSchema(document, dialect)
  const validators = new Map<string, ReturnType<typeof ajv.compile> | null>()

  const validatorOf = (operationId: OperationId, status: number, dialect: Settings['dialect']) =>
    once(validators, `${operationId} ${status} ${dialect}`, () => {
      const pointer = responseSchemaPointer(documents[dialect], operationId, status)
      return pointer === null ? null : ajv.compile({ $ref: `${dialect}${pointer}` })
    })

  return (
    operationId: OperationId,
    status: number,
    answer: HandlerAnswer,
    dialect: Settings['dialect'] = 'documented',
  ): void => {
    const validate = validatorOf(operationId, status, dialect)
    if (validate === null || answer.text !== undefined) return
    const value = answerValue(answer)
    if (validate(value)) return
    const problems = (validate.errors ?? [])
      .slice(0, 5)
      .map((error) => `${error.instancePath} ${error.message}`)
    throw new ContractViolation(`${operationId} ${status}: ${problems.join('; ')}`)
  }
}

export type CheckAnswer = Awaited<ReturnType<typeof loadStrictCheck>>
