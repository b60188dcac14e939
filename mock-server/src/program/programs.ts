import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { posix, win32 } from 'node:path'

export interface ProgramIo {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly platform: string
}

interface Startable {
  readonly file: string
  readonly args: readonly string[]
  readonly options: { readonly windowsVerbatimArguments?: true }
}

/** Endings that Windows can start itself; PATHEXT has endings of scripts too. */
const startable = ['.com', '.exe', '.bat', '.cmd']

function pathOf({ platform }: ProgramIo) {
  return platform === 'win32' ? win32 : posix
}

/** The value of an environment variable; on Windows the case of its name does not matter. */
function variableOf({ env, platform }: ProgramIo, name: string): string {
  if (platform !== 'win32') return env[name] ?? ''
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1] ?? ''
}

/**
 * The absolute path of a program; null if it is not found. A name is searched in PATH only, never
 * in the current directory, where a repository may have put a `git.exe`.
 */
export async function findProgram(
  io: ProgramIo,
  name: string,
  probe: FileProbe = onDisk,
): Promise<string | null> {
  const { isAbsolute, join, resolve } = pathOf(io)
  const isPath = name.includes('/') || (io.platform === 'win32' && /[\\:]/u.test(name))
  const folders = variableOf(io, 'PATH')
    .split(pathOf(io).delimiter)
    .map((folder) => folder.replace(/^"(.*)"$/u, '$1'))
  const places = isPath
    ? [resolve(io.cwd, name)]
    : folders.filter(isAbsolute).map((folder) => join(folder, name))
  // A file that is not executable is returned, so that the system reports the reason.
  let barred = isPath && io.platform !== 'win32' ? (places[0] ?? null) : null
  for (const file of places.flatMap((place) => spellings(io, place))) {
    const found = await probe(file)
    if (found === 'runs') return file
    if (found === 'barred') barred ??= file
  }
  return barred
}

type FileProbe = (file: string) => Promise<'runs' | 'barred' | 'absent'>

const onDisk: FileProbe = async (file) => {
  if (!(await stat(file).catch(() => null))?.isFile()) return 'absent'
  return access(file, constants.X_OK).then(
    () => 'runs',
    () => 'barred',
  )
}

function spellings(io: ProgramIo, path: string): readonly string[] {
  if (io.platform !== 'win32') return [path]
  const named = (variableOf(io, 'PATHEXT') || '.COM;.EXE;.BAT;.CMD').toLowerCase().split(';')
  const endings = named.filter((ending) => startable.includes(ending))
  return endings.includes(win32.extname(path).toLowerCase())
    ? [path]
    : endings.map((ending) => path + ending)
}

/**
 * A program and its arguments; null if it is not found. On Windows, cmd.exe starts a batch file and
 * parses the command line twice: itself, and for the batch file.
 *
 * @throws Error for an argument that cannot be passed to a batch file.
 */
export async function startableOf(
  io: ProgramIo,
  words: readonly string[],
  probe?: FileProbe,
): Promise<Startable | null> {
  const [name = '', ...args] = words
  const file = await findProgram(io, name, probe)
  if (file === null) return null
  if (io.platform !== 'win32' || !/\.(?:bat|cmd)$/iu.test(file)) return { file, args, options: {} }
  const bad = args.find((arg) => /[\0\r\n]/u.test(arg))
  if (bad !== undefined)
    throw new Error(`an argument of ${name} holds a line break, which a batch file cannot be given`)
  const line = [masked(file), ...args.map((arg) => masked(masked(quoted(arg))))].join(' ')
  const system = win32.join(variableOf(io, 'SYSTEMROOT') || 'C:\\Windows', 'System32', 'cmd.exe')
  return {
    file: system,
    args: ['/d', '/s', '/c', `"${line}"`],
    options: { windowsVerbatimArguments: true },
  }
}

/** Quotes an argument for the C runtime of Windows: backslashes before a quote are doubled. */
function quoted(arg: string): string {
  return `"${arg.replace(/(?<!\\)(\\*)"/gu, '$1$1\\"').replace(/(?<!\\)(\\+)$/u, '$1$1')}"`
}

/** Escapes the characters that are special for cmd.exe. */
function masked(text: string): string {
  return text.replace(/[()[\]%!^"`<>&|;, *?]/gu, '^$&')
}

/** Starts a program. @throws Error, its `code` `ENOENT` when it is not found */
export async function startProgram(
  io: ProgramIo,
  words: readonly string[],
  options: SpawnOptions,
): Promise<ChildProcess> {
  const found = await startableOf(io, words)
  if (found === null)
    throw Object.assign(new Error(`${words[0]} was not found`), { code: 'ENOENT' })
  const child = spawn(found.file, [...found.args], { env: io.env, ...options, ...found.options })
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  return child
}

/** The stdout of a program; null if it is not found, fails, or takes longer than `timeoutMs`. */
export async function outputOf(
  io: ProgramIo,
  words: readonly string[],
  timeoutMs: number,
): Promise<string | null> {
  const found = await startableOf(io, words)
  if (found === null) return null
  const options = { env: io.env, timeout: timeoutMs, maxBuffer: 1 << 20, ...found.options }
  return new Promise((resolve) => {
    execFile(found.file, [...found.args], options, (error, stdout) =>
      resolve(error === null ? stdout : null),
    )
  })
}

/**
 * Splits a command of a variable such as PAGER into words. Text in quotes is one word, and so is
 * the whole text if it is the path of a file.
 */
export async function commandWords(io: ProgramIo, text: string): Promise<readonly string[]> {
  const whole = text.trim()
  if (pathOf(io).isAbsolute(whole) && (await stat(whole).catch(() => null))?.isFile())
    return [whole]
  const words = whole.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/gu) ?? []
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/gu, '$1$2'))
}
