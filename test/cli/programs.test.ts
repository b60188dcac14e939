import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandWords, findProgram, outputOf, startableOf } from '@buildwire/mock-server/programs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPage, whyNoBrowser } from '../../cli/src/io/open.js'
import { page } from '../../cli/src/io/pager.js'
import { type Printable, whole } from '../../cli/src/io/printable.js'
import { ownSignals } from '../../cli/src/io/signals.js'
import { runChild } from '../../cli/src/server/run-child.js'
import { memoryIo } from './support/memory-io.js'

let home: string
let tools: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'ci-programs-'))
  tools = join(home, 'Meine Wörkzeuge')
  await mkdir(tools)
  await program('show it', 'printf "%s\\n" "$@" > "$0.args"; exit 3')
})
afterAll(() => rm(home, { recursive: true, force: true }))

/** A program in a folder whose name has a blank and an umlaut; it writes down what it was given. */
async function program(name: string, script: string): Promise<string> {
  const path = join(tools, name)
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
  return path
}

const given = async (name: string) =>
  (await readFile(join(tools, `${name}.args`), 'utf8')).split('\n').slice(0, -1)
const notes = () => {
  const warnings: string[] = []
  return {
    warnings,
    notes: { warn: (text: Printable) => void warnings.push(String(text)) } as never,
  }
}

describe('a program by its name', () => {
  it('is looked for in the folders of PATH, and never in the current directory', async () => {
    for (const PATH of [`:.:tools:${join(home, 'empty')}`, '']) {
      expect(
        await findProgram({ env: { PATH }, cwd: tools, platform: 'linux' }, 'show it'),
      ).toBeNull()
    }
    expect(
      await findProgram({ env: { PATH: `.:${tools}` }, cwd: '/', platform: 'linux' }, 'show it'),
    ).toBe(join(tools, 'show it'))
    expect(
      await outputOf({ env: { PATH: '.' }, cwd: tools, platform: 'linux' }, ['show it'], 1000),
    ).toBeNull()
  })

  const windows = (files: readonly string[], env = {}) => {
    const asked: string[] = []
    const io = {
      cwd: 'C:\\clone',
      platform: 'win32',
      env: { Path: '.;;"C:\\Program Files\\nodejs";D:\\bin', ...env },
    }
    const look = async (file: string) => {
      asked.push(file)
      return files.some((each) => each.toLowerCase() === file.toLowerCase())
        ? ('runs' as const)
        : ('absent' as const)
    }
    return { asked, find: (name: string) => findProgram(io, name, look) }
  }

  it('on Windows too, by the endings of PATHEXT that can be started', async () => {
    const git = windows(['C:\\clone\\git.exe', 'D:\\bin\\git.exe'])
    expect(await git.find('git')).toBe('D:\\bin\\git.exe')
    expect(git.asked.filter((file) => file.startsWith('C:\\clone'))).toEqual([])
    expect(await windows(['C:\\clone\\git.exe']).find('git')).toBeNull()
    const npm = [
      'C:\\Program Files\\nodejs\\npm',
      'C:\\Program Files\\nodejs\\npm.cmd',
      'D:\\bin\\npm.exe',
    ]
    expect(await windows(npm).find('npm')).toBe('C:\\Program Files\\nodejs\\npm.cmd')
    expect(await windows(npm).find('npm.cmd')).toBe('C:\\Program Files\\nodejs\\npm.cmd')
    expect(
      await windows(['D:\\bin\\a.js', 'D:\\bin\\a.bat'], { PATHEXT: '.JS;.BAT' }).find('a'),
    ).toBe('D:\\bin\\a.bat')
    expect(await windows(['C:\\clone\\tools\\run.cmd']).find('tools/run')).toBe(
      'C:\\clone\\tools\\run.cmd',
    )
  })
})

/**
 * What cmd.exe makes of a text: `^` hides a sign, quotes hide all, and the rest must have no
 * meaning.
 */
function cmdReads(text: string): string {
  let read = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (sign === '^' && !isQuoted) read += text[++at] ?? ''
    else {
      if (sign === '"') isQuoted = !isQuoted
      else if (!isQuoted && '&|<>()'.includes(sign)) throw new Error(`cmd.exe acts on ${sign}`)
      read += sign
    }
  }
  return read
}

/** How a program of Windows takes its command line apart. */
function argvOf(line: string): string[] {
  const found: string[] = []
  for (const [word] of line.matchAll(/(?:\\*"(?:\\.|[^"\\])*"|[^\s"])+/g)) {
    found.push(
      word
        .slice(1, -1)
        .replace(
          /(\\*)(\\"|$)/g,
          (_, before: string, end: string) =>
            before.slice(0, before.length / 2) + (end === '' ? '' : '"'),
        ),
    )
  }
  return found
}

describe('a batch file on Windows', () => {
  const io = {
    cwd: 'C:\\clone',
    platform: 'win32',
    env: { PATH: 'C:\\Program Files (x86)\\bin', SystemRoot: 'C:\\Windows' },
  }
  const start = (...args: string[]) =>
    startableOf(io, ['npm', ...args], async (file) =>
      file.endsWith('npm.cmd') ? 'runs' : 'absent',
    )

  it('is started by cmd.exe of the system, its words one by one', async () => {
    expect(await start('run', 'a b', '%PATH%', 'x"y\\')).toEqual({
      file: 'C:\\Windows\\System32\\cmd.exe',
      args: [
        '/d',
        '/s',
        '/c',
        '"C:\\Program^ Files^ ^(x86^)\\bin\\npm.cmd ^^^"run^^^" ^^^"a^^^ b^^^" ^^^"^^^%PATH^^^%^^^" ^^^"x\\^^^"y\\\\^^^""',
      ],
      options: { windowsVerbatimArguments: true },
    })
    await expect(start('a\nb')).rejects.toThrow('line break')
  })

  it('whatever the words hold, the program behind it gets them, and cmd.exe finds nothing to do', async () => {
    const word = fc.string({ unit: fc.constantFrom(...'ab \\"^%&|<>()!;,*?=é'), maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 4 }), async (words) => {
        const line = (await start(...words))?.args.at(-1)?.slice(1, -1) ?? ''
        expect(line).not.toMatch(/%[^%^]+%/)
        // Once for the command line, once for the line of the batch file that hands its words on.
        const handed = cmdReads(line).slice('C:\\Program Files (x86)\\bin\\npm.cmd'.length)
        expect(argvOf(cmdReads(handed))).toEqual(words)
      }),
    )
  })

  it('a file that is not a batch file is started directly', async () => {
    const look = async (file: string) =>
      file.endsWith('git.exe') ? ('runs' as const) : ('absent' as const)
    expect(await startableOf(io, ['git', 'a&b'], look)).toMatchObject({
      args: ['a&b'],
      options: {},
    })
  })
})

describe('blanks', () => {
  it('in the path of a program, in PAGER and in BROWSER', async () => {
    const io = memoryIo({ env: { PATH: process.env.PATH ?? '' } })
    expect(await runChild(io, [join(tools, 'show it'), 'a b', ''], {})).toBe(3)
    expect(await given('show it')).toEqual(['a b', ''])
    const path = join(tools, 'show it')
    expect(await commandWords(io, path)).toEqual([path])
    expect(await commandWords(io, `"${path}" -F 'a b' --x="c d"`)).toEqual([
      path,
      '-F',
      'a b',
      '--x=c d',
    ])
    expect(await commandWords(io, ' less  -FRX ')).toEqual(['less', '-FRX'])
    await program('my browser', 'printf "%s\\n" "$@" > "$0.part"; mv "$0.part" "$0.args"')
    const browser = memoryIo({
      env: { ...io.env, BUILDWIRE_BROWSER: `"${join(tools, 'my browser')}" --new` },
    })
    expect(await openPage(browser, notes().notes, 'https://ci.example/acme')).toBe(true)
    await expect
      .poll(() => given('my browser').catch(() => null), { timeout: 10_000 })
      .toEqual(['--new', 'https://ci.example/acme'])
  })
})

describe('a program that is missing', () => {
  const long = whole('line\n'.repeat(50))
  const shown = async (env: Record<string, string>) => {
    const io = memoryIo({ env: { PATH: tools, ...env }, columns: 80, rows: 24 })
    const { warnings, notes: told } = notes()
    return { paged: await page(io, told, ownSignals(io), long), warnings }
  }

  it('without less a long text is simply printed; a pager that was named is missed aloud', async () => {
    expect(await shown({})).toEqual({ paged: false, warnings: [] })
    expect(await shown({ PAGER: 'most -s' })).toEqual({
      paged: false,
      warnings: ['the pager most cannot be started'],
    })
  })

  it('WSL has no display and a browser all the same', async () => {
    await program('wslview', 'printf "%s\\n" "$@" > "$0.part"; mv "$0.part" "$0.args"')
    const env = { PATH: `${tools}:${process.env.PATH ?? ''}` }
    expect(whyNoBrowser(memoryIo({ env, columns: 80 }), false)).toBe('there is no display')
    const wsl = memoryIo({ env: { ...env, WSL_DISTRO_NAME: 'Debian' }, columns: 80 })
    expect(whyNoBrowser(wsl, false)).toBeNull()
    expect(await openPage(wsl, notes().notes, 'https://ci.example/')).toBe(true)
    await expect
      .poll(() => given('wslview').catch(() => null), { timeout: 10_000 })
      .toEqual(['https://ci.example/'])
  })
})
