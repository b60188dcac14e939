import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readdir, rm, unlink, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { own } from '../../mock-server/src/store/owner.js'

let directory: string
const children = new Set<ChildProcess>()

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bw-owner-'))
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
  await rm(directory, { recursive: true, force: true })
})

const patient = () => ({ patience: new AbortController().signal })
const links = async () => (await readdir(directory)).filter((name) => /^writer\.\d+$/.test(name))
const held = (pid: number | undefined) => ({ code: 'held', message: `process ${pid}` })

/** A process that owns the directory. */
async function owner(): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('../support/own.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', program, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  if (child.stdout) await once(child.stdout, 'data')
  return child
}

describe('the owner of a directory', () => {
  it('is one process at a time, and every waiting process gets its turn', async () => {
    let inside = 0
    let most = 0
    const turns = Array.from({ length: 12 }, async () => {
      const ownership = await own(directory, 'writer', patient())
      most = Math.max(most, ++inside)
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
      expect(await ownership.check()).toBe(true)
      inside -= 1
      await ownership.release()
    })
    await Promise.all(turns)
    expect(most).toBe(1)
    expect((await readdir(directory)).length, 'the highest number stays, and nothing else').toBe(1)
  })

  it('does not hinder the owner of another name', async () => {
    const first = await own(directory, 'a')
    const second = await own(directory, 'b')
    await Promise.all([first.release(), second.release()])
  })

  it('refuses a process without patience, or after it, and the error names the owner', async () => {
    const ownership = await own(directory, 'writer')
    await expect(own(directory, 'writer')).rejects.toMatchObject(held(process.pid))
    const patience = new AbortController()
    const waiting = own(directory, 'writer', { patience: patience.signal })
    patience.abort()
    await expect(waiting).rejects.toMatchObject(held(process.pid))
    await ownership.release()
    await (await own(directory, 'writer')).release()
  })

  it('is announced to every process that waits for it, and so is the next one', async () => {
    const first = await own(directory, 'writer')
    let announced = 0
    const onOwner = () => {
      announced += 1
    }
    const turn = async () => {
      const ownership = await own(directory, 'writer', { ...patient(), onOwner })
      // The other one waits for this owner now, or did so before.
      await expect.poll(() => announced).toBeGreaterThanOrEqual(3)
      await ownership.release()
    }
    const turns = [turn(), turn()]
    await expect.poll(() => announced).toBe(2)
    await first.release()
    await Promise.all(turns)
  })

  it('stays the owner while its process is stopped, but not after it was killed', async () => {
    const child = await owner()
    child.kill('SIGSTOP')
    await expect(own(directory, 'writer')).rejects.toMatchObject(held(child.pid))
    const waiting = own(directory, 'writer', patient())
    child.kill('SIGKILL')
    const ownership = await waiting
    expect((await readdir(directory)).length, 'its own number and socket').toBe(2)
    await ownership.release()
  })

  it('detects that the directory was cleared and it is no longer the owner', async () => {
    const first = await own(directory, 'writer')
    for (const name of await readdir(directory)) await unlink(join(directory, name))
    expect(await first.check()).toBe(false)
    const second = await own(directory, 'writer')
    expect([await first.check(), await second.check()]).toEqual([false, true])
    await Promise.all([first.release(), second.release()])
  })

  it('may live on another machine: the directory is refused until a clean end or the removal of the socket', async () => {
    const there = { host: 'aaaaaaaa', boot: 'bbbbbbbb' }
    const clean = await own(directory, 'writer', { identity: there })
    await clean.release()
    await (await own(directory, 'writer')).release()

    // A socket that refuses: what another machine's looks like from here.
    const ended = await own(directory, 'writer', { identity: there })
    const socket = (await readdir(directory)).find((name) => name.split('.').length === 5) ?? ''
    await ended.release()
    await copyFile(fileURLToPath(import.meta.url), join(directory, socket))
    await expect(own(directory, 'writer')).rejects.toMatchObject({
      code: 'other_host',
      message: join(directory, socket),
    })
    const rebooted = { host: 'aaaaaaaa', boot: 'cccccccc' }
    const again = await own(directory, 'writer', { identity: rebooted })
    await again.release()
  })

  it('is found in a directory whose path is too long for a socket', async () => {
    directory = join(directory, 'x'.repeat(120))
    await mkdir(directory)
    const ownership = await own(directory, 'writer')
    await expect(own(directory, 'writer')).rejects.toMatchObject(held(process.pid))
    const waiting = own(directory, 'writer', patient())
    await ownership.release()
    await (await waiting).release()
  })

  it('skips numbers that are not links, and never counts down', async () => {
    await writeFile(join(directory, 'writer.7'), 'not ours')
    const ownership = await own(directory, 'writer')
    expect(await links()).toEqual(['writer.8'])
    await ownership.release()
    await (await own(directory, 'writer')).release()
    expect(await links()).toEqual(['writer.9'])
  })

  it('can be released while a connection to it stays open', async () => {
    const ownership = await own(directory, 'writer')
    const socket = (await readdir(directory)).find((name) => name.split('.').length === 5) ?? ''
    const guest = createConnection({ path: join(directory, socket), allowHalfOpen: true })
    await once(guest, 'connect')
    await ownership.release()
    guest.destroy()
  })

  it.skipIf(process.platform !== 'linux')(
    'throws the error of the system for a directory that cannot be written',
    async () => {
      await expect(own('/proc/self', 'writer')).rejects.toMatchObject({ code: 'EACCES' })
      await expect(own(join(directory, 'none'), 'writer')).rejects.toMatchObject({ code: 'ENOENT' })
    },
  )
})
