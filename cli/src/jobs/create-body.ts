import { parseEnv } from 'node:util'
import type { CreateBuildBody } from '@buildwire/sdk/contract'
import { isJsonObject } from '../config/json-file.js'
import type { Context } from '../context/context.js'
import { currentBranch, fullSha, isPushed } from '../context/git/git.js'
import {
  type FlagValues,
  numberFlag,
  parsedFlag,
  parsedFlags,
  switchFlag,
  textFlag,
  textsFlag,
} from '../flags/flags.js'
import type { Parameters } from '../flags/groups.js'
import { parseKeyValue, parseMetaData, toObject } from '../flags/key-value.js'
import { usageError } from '../io/command-error.js'
import { createFileInputs, type FileInputs, oneStdin } from '../io/input.js'
import { say } from '../io/printable.js'

export const createFlags = {
  commit: textFlag({
    char: 'c',
    helpValue: 'SHA|REF',
    summary: 'Commit, tag or ref, sent as typed (HEAD here)',
  }),
  branch: textFlag({
    char: 'b',
    helpValue: 'NAME',
    summary: 'Branch (the one that is checked out)',
  }),
  message: textFlag({ char: 'm', helpValue: 'TEXT', summary: 'Message of the build' }),
  'message-file': textFlag({ helpValue: 'FILE|-', summary: 'Message from a file or stdin' }),
  env: parsedFlags(parseKeyValue, {
    char: 'e',
    helpValue: 'K[=V]',
    summary: 'Environment variable; K alone takes its value from here',
  }),
  'env-file': textFlag({ helpValue: 'FILE', summary: 'Environment variables from a file' }),
  'meta-data': parsedFlags(parseMetaData, {
    char: 'M',
    helpValue: 'K=V',
    summary: 'Meta-data; K:=true and K:=false are booleans',
  }),
  author: parsedFlag(parseAuthor, {
    helpValue: '"NAME <MAIL>"',
    summary: 'Author, where it is not you',
  }),
  'clean-checkout': switchFlag({ summary: 'Check out into an empty directory' }),
  'ignore-pipeline-branch-filters': switchFlag({
    summary: 'Build although the pipeline does not build this branch',
  }),
  'pull-request-id': numberFlag('pull-request-id', 1, {
    helpValue: 'N',
    summary: 'Number of the pull request',
  }),
  'pull-request-base-branch': textFlag({
    helpValue: 'NAME',
    summary: 'Branch that the pull request goes to',
  }),
  'pull-request-label': textsFlag({ helpValue: 'LABEL', summary: 'Label of the pull request' }),
  'pull-request-repository': textFlag({
    helpValue: 'URL',
    summary: 'Repository of the pull request',
  }),
  'from-json': textFlag({
    helpValue: 'FILE|-',
    summary: 'Properties from a JSON object; flags win',
  }),
}

type CreateFlags = FlagValues<typeof createFlags>

/**
 * The body of a new build: flags win over `--from-json`. Branch and commit default to those that
 * are checked out.
 */
export async function createBody(context: Context, flags: CreateFlags): Promise<CreateBuildBody> {
  const files = ['from-json', 'env-file', 'message-file'] as const
  oneStdin(Object.fromEntries(files.map((name) => [`--${name}`, flags[name]])))
  const inputs = createFileInputs(context.io)
  const fromJson =
    flags['from-json'] === undefined ? {} : await readBody(inputs, flags['from-json'])
  const env = await environment(context, inputs, flags)
  const metaData = flags['meta-data'] === undefined ? undefined : toObject(flags['meta-data'])
  const typed = {
    message: await message(inputs, flags),
    author: flags.author,
    clean_checkout: flags['clean-checkout'],
    ignore_pipeline_branch_filters: flags['ignore-pipeline-branch-filters'],
    pull_request_id: flags['pull-request-id'],
    pull_request_base_branch: flags['pull-request-base-branch'],
    pull_request_labels: flags['pull-request-label'],
    pull_request_repository: flags['pull-request-repository'],
    env: env && { ...objectOf(fromJson.env), ...env },
    meta_data: metaData && { ...objectOf(fromJson.meta_data), ...metaData },
    branch: flags.branch ?? ('branch' in fromJson ? undefined : await defaultBranch(context)),
    commit: flags.commit ?? ('commit' in fromJson ? undefined : await defaultCommit(context)),
  } satisfies Record<keyof Parameters<'builds.create'>, unknown>
  const set = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined))
  // The object of --from-json is sent as it is; the server checks it and names every wrong field.
  return { ...fromJson, ...set } as unknown as CreateBuildBody
}

function objectOf(value: unknown): object {
  return isJsonObject(value) ? value : {}
}

async function readBody(
  inputs: FileInputs,
  path: string,
): Promise<{ readonly [key: string]: unknown }> {
  const value = await inputs.json(path, '--from-json')
  if (!isJsonObject(value)) throw usageError(say`--from-json takes a JSON object`)
  return value
}

async function message(inputs: FileInputs, flags: CreateFlags): Promise<string | undefined> {
  if (flags['message-file'] === undefined) return flags.message
  if (flags.message !== undefined)
    throw usageError(say`--message and --message-file cannot be used together`)
  return inputs.text(flags['message-file'], '--message-file')
}

async function environment(
  { io }: Context,
  inputs: FileInputs,
  flags: CreateFlags,
): Promise<Record<string, string> | undefined> {
  const file =
    flags['env-file'] === undefined
      ? undefined
      : parseEnv(await inputs.text(flags['env-file'], '--env-file'))
  if (file === undefined && flags.env === undefined) return undefined
  const typed = (flags.env ?? []).map(({ key, value }) => {
    const text = value ?? io.env[key]
    if (text === undefined)
      throw usageError(say`--env ${key}: no such variable is set here; write ${key}=VALUE`)
    return { key, value: text }
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
    notes.warn(
      say`commit ${sha.slice(0, 12)} is on no remote branch; agents may be unable to fetch it`,
    )
  }
  return sha
}

export function parseAuthor(text: string): { name: string; email: string } {
  const match = /^([^<>]*)<([^<>\s]+)>\s*$/u.exec(text)
  if (match === null)
    throw usageError(say`${JSON.stringify(text)} is not an author; write "NAME <MAIL>"`)
  return { name: match[1]?.trim() ?? '', email: match[2] ?? '' }
}
