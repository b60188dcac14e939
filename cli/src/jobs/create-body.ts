import { parseEnv } from 'node:util'
import type { CreateBuildBody } from '@buildwire/sdk/contract'
import { isJsonObject } from '../config/json-file.js'
import type { Context } from '../context/context.js'
import { currentBranch, fullSha, isPushed } from '../context/git/git.js'
import type { KeyValue } from '../flags/key-value.js'
import { toObject } from '../flags/key-value.js'
import type { Parameters } from '../flags/parameters.js'
import { usageError } from '../io/command-error.js'
import { createFileInputs, type FileInputs, oneStdin } from '../io/input.js'
import { say } from '../io/printable.js'

/** The flags of `ci builds create` that become its body. */
export interface CreateFlags {
  readonly commit?: string | undefined
  readonly branch?: string | undefined
  readonly message?: string | undefined
  readonly 'message-file'?: string | undefined
  readonly env?: readonly KeyValue[] | undefined
  readonly 'env-file'?: string | undefined
  readonly 'meta-data'?: readonly { readonly key: string; readonly value: string | boolean }[] | undefined
  readonly author?: { readonly name: string; readonly email: string } | undefined
  readonly 'clean-checkout'?: boolean | undefined
  readonly 'ignore-pipeline-branch-filters'?: boolean | undefined
  readonly 'pull-request-id'?: number | undefined
  readonly 'pull-request-base-branch'?: string | undefined
  readonly 'pull-request-label'?: readonly string[] | undefined
  readonly 'pull-request-repository'?: string | undefined
  readonly 'from-json'?: string | undefined
}

/** The body of a new build: flags over `--from-json`, and the checked-out branch and commit where nothing says. */
export async function createBody(context: Context, flags: CreateFlags): Promise<CreateBuildBody> {
  const files = ['from-json', 'env-file', 'message-file'] as const
  oneStdin(Object.fromEntries(files.map((name) => [`--${name}`, flags[name]])))
  const inputs = createFileInputs(context.io)
  const given = flags['from-json'] === undefined ? {} : await readBody(inputs, flags['from-json'])
  const env = await environment(context, inputs, flags)
  const meta = flags['meta-data'] === undefined ? undefined : toObject(flags['meta-data'])
  const typed = {
    message: await message(inputs, flags),
    author: flags.author,
    clean_checkout: flags['clean-checkout'],
    ignore_pipeline_branch_filters: flags['ignore-pipeline-branch-filters'],
    pull_request_id: flags['pull-request-id'],
    pull_request_base_branch: flags['pull-request-base-branch'],
    pull_request_labels: flags['pull-request-label'],
    pull_request_repository: flags['pull-request-repository'],
    env: env === undefined ? undefined : { ...(isJsonObject(given.env) ? given.env : {}), ...env },
    meta_data: meta === undefined ? undefined : { ...(isJsonObject(given.meta_data) ? given.meta_data : {}), ...meta },
    branch: flags.branch ?? ('branch' in given ? undefined : await defaultBranch(context)),
    commit: flags.commit ?? ('commit' in given ? undefined : await defaultCommit(context)),
  } satisfies Record<keyof Parameters<'builds.create'>, unknown>
  const set = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined))
  // What --from-json says is passed on as it is: the server judges it, and names every field.
  return { ...given, ...set } as unknown as CreateBuildBody
}

async function readBody(inputs: FileInputs, path: string): Promise<{ readonly [key: string]: unknown }> {
  const text = await inputs.text(path, '--from-json')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw usageError(say`--from-json: this is not valid JSON`, { cause })
  }
  if (!isJsonObject(value)) throw usageError(say`--from-json takes a JSON object`)
  return value
}

async function message(inputs: FileInputs, flags: CreateFlags): Promise<string | undefined> {
  if (flags['message-file'] === undefined) return flags.message
  if (flags.message !== undefined) throw usageError(say`--message and --message-file exclude each other`)
  return inputs.text(flags['message-file'], '--message-file')
}

async function environment(
  { io }: Context,
  inputs: FileInputs,
  flags: CreateFlags,
): Promise<Record<string, string> | undefined> {
  const file =
    flags['env-file'] === undefined ? undefined : parseEnv(await inputs.text(flags['env-file'], '--env-file'))
  if (file === undefined && flags.env === undefined) return undefined
  const typed = (flags.env ?? []).map(({ key, value }) => {
    const found = value ?? io.env[key]
    if (found === undefined) throw usageError(say`--env ${key}: no such variable is set here; write ${key}=VALUE`)
    return { key, value: found }
  })
  return { ...(file as Record<string, string> | undefined), ...toObject(typed) }
}

async function defaultBranch({ git }: Context): Promise<string> {
  const branch = await currentBranch(git)
  if (branch === null) throw usageError(say`no branch is checked out here; name one with --branch`)
  return branch
}

async function defaultCommit({ git, notes }: Context): Promise<string> {
  const sha = await fullSha(git, 'HEAD')
  if (sha === null) throw usageError(say`there is no commit here; name one with --commit`)
  if ((await isPushed(git, sha)) === false) {
    notes.warn(say`commit ${sha.slice(0, 12)} is on no remote branch; agents may not be able to fetch it`)
  }
  return sha
}

/** Reads `NAME <MAIL>`. */
export function parseAuthor(text: string): { name: string; email: string } {
  const match = /^\s*([^<>]*?)\s*<([^<>\s]+)>\s*$/u.exec(text)
  if (match === null) throw usageError(say`${JSON.stringify(text)} is no author; write "NAME <MAIL>"`)
  return { name: match[1] ?? '', email: match[2] ?? '' }
}
