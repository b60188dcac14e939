import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VirtualClock } from '@buildwire/mock-server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readContexts } from '../../../cli/src/config/contexts.js'
import { changeFile, withLock } from '../../../cli/src/config/own-files.js'
import { CommandError } from '../../../cli/src/io/command-error.js'
import type { Notes } from '../../../cli/src/io/notes.js'
import { ownSignals } from '../../../cli/src/io/signals.js'
import { memoryIo } from '../support/memory-io.js'

describe('a file of the configuration', () => {
  let home: string
  let warnings: string[]

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'ci-files-'))
    warnings = []
  })
  afterEach(() => rm(home, { recursive: true, force: true }))

  const tools = (env: Record<string, string> = {}) => ({
    io: memoryIo({ home, env }),
    notes: { warn: (text) => void warnings.push(String(text)) } as Notes,
  })
  const config = () => join(home, '.config/buildwire')

  test('has every one of many parallel changes, is private, and leaves no other file', async () => {
    const add = (at: number) =>
      changeFile(tools(), 'config.json', (file) => ({ ...file, [`k${at}`]: at }))
    await writeFile(join(home, 'left'), '')
    await Promise.all(Array.from({ length: 20 }, (_, at) => add(at)))
    let content: object = {}
    await changeFile(tools(), 'config.json', (file) => (content = file))
    const all = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`k${at}`, at]))
    expect(content).toEqual({ version: expect.any(Number), ...all })
    expect((await stat(join(config(), 'config.json'))).mode & 0o777).toBe(0o600)
    expect((await readdir(config())).sort()).toEqual(['config.json', 'locks'])
    expect(warnings).toEqual([])
  })

  test('is not made by a probe, and the rest of a killed writer is removed', async () => {
    await changeFile(tools(), 'config.json', () => ({ a: 1 }), 'probed')
    expect(await readdir(config())).toEqual(['locks'])
    await writeFile(join(config(), 'config.json.new.tmp'), 'half')
    await changeFile(tools(), 'config.json', () => ({ a: 1 }))
    expect((await readdir(config())).sort()).toEqual(['config.json', 'locks'])
  })

  test('is in a directory that ci makes private, with a warning', async () => {
    await changeFile(tools(), 'config.json', () => ({}))
    await chmod(config(), 0o755)
    await changeFile(tools(), 'config.json', () => ({}))
    expect((await stat(config())).mode & 0o777).toBe(0o700)
    expect(warnings).toEqual([`${config()} was open to other users; now only you can use it`])
  })

  test('is refused in BUILDWIRE_CONFIG_DIR if others may write there, and its mode is not changed', async () => {
    const env = { BUILDWIRE_CONFIG_DIR: home }
    await chmod(home, 0o775)
    await expect(changeFile(tools(env), 'config.json', () => ({}))).rejects.toMatchObject({
      exitCode: 78,
    })
    expect(await readdir(home)).toEqual([])
    await expect(readContexts(tools(env))).rejects.toMatchObject({
      exitCode: 78,
      message: `${home} can be written by other users`,
    })
    await chmod(home, 0o755)
    await changeFile(tools(env), 'config.json', () => ({}))
    await readContexts(tools(env))
    expect((await stat(home)).mode & 0o777).toBe(0o755)
  })

  test('is read from a directory that is narrowed first, where it is ours', async () => {
    await changeFile(tools(), 'config.json', () => ({}))
    await chmod(config(), 0o777)
    await readContexts(tools())
    expect((await stat(config())).mode & 0o777).toBe(0o700)
    expect(warnings).toEqual([`${config()} was open to other users; now only you can use it`])
  })

  test.each([
    {
      rule: 'that another process holds for too long is exit 78, and the error names the process',
      patience: { holderMs: 20, totalMs: 60_000 },
      message: `config.json is held by process ${process.pid}, and was not free within 0.02 s`,
      line: 'End that process, if it hangs',
    },
    {
      rule: 'that many hold in turn is exit 78, and no process is to be ended',
      patience: { holderMs: 60_000, totalMs: 20 },
      message: 'config.json was not free within 0.02 s',
      line: 'Other commands used it all the time; try again when fewer of them run',
    },
  ])('$rule', async ({ patience, message, line }) => {
    await withLock(tools(), 'config.json', async () => {
      const error = await withLock(tools(), 'config.json', async () => 'mine', patience).catch(
        (cause: CommandError) => cause,
      )
      expect(error).toBeInstanceOf(CommandError)
      const { exitCode, lines } = error as CommandError
      expect([exitCode, String(error), lines.map(String)]).toEqual([
        78,
        `CommandError: ${message}`,
        [line],
      ])
    })
  })
})

describe('work that must be finished', () => {
  test('is finished after a first signal, with a line on a terminal; a second signal ends it at once', async () => {
    const io = memoryIo({ columns: 80 })
    const interrupts = ownSignals(io)
    let finish: () => void = () => undefined
    const work = interrupts.finishFirst(
      'The login is being kept',
      new Promise<void>((resolve) => (finish = resolve)),
    )
    io.signal('SIGINT')
    const finished = interrupts.finished(new VirtualClock())
    await new Promise((resolve) => setImmediate(resolve))
    expect(io.written.stderr).toBe('\rThe login is being kept; one moment\n')
    expect(io.exits).toEqual([])
    io.signal('SIGTERM')
    expect(io.exits).toEqual([143])
    finish()
    await Promise.all([work, finished])
  })

  test.each([
    [3_000, undefined],
    [60_000, 60_000],
  ])('is given up after %d ms', async (limit, ms) => {
    const io = memoryIo()
    const interrupts = ownSignals(io)
    void interrupts.finishFirst('', new Promise<void>(() => undefined), ms)
    const clock = new VirtualClock()
    let isOver = false
    const finished = interrupts.finished(clock).then(() => {
      isOver = true
    })
    await clock.advance(limit - 1)
    expect(isOver).toBe(false)
    await clock.advance(1)
    await finished
    expect(io.written.stderr).toBe('')
  })
})
