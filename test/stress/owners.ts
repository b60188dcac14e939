import { join } from 'node:path'
import {
  type Acknowledged,
  builds,
  endUnderLoad,
  judge,
  readAll,
  writerArgs,
} from '../support/kill-cycles.js'
import { scratch } from '../support/scratch.js'
import { type ServerProcess, startServerProcess } from '../support/server-process.js'
import { dice } from './dice.js'
import type { StressTask } from './task.js'

interface Owner {
  readonly server: ServerProcess
  readonly url: string
}

/** A server that was started to become the owner of the directory. */
interface StartedServer {
  readonly server: ServerProcess
  killed: boolean
}

export interface OwnersReport {
  readonly rounds: number
  readonly starters: number
  readonly acknowledged: number
  readonly faults: readonly string[]
}

/**
 * Starts many servers at once, kills some on the way, and returns the one that became the owner, or
 * null if that one was killed.
 */
async function contest(
  args: readonly string[],
  count: number,
  roll: () => number,
  fault: (text: string) => void,
) {
  let owner: (Owner & { readonly start: StartedServer }) | null = null
  const starts = Array.from({ length: count }, (): StartedServer => {
    const start: StartedServer = {
      server: startServerProcess(args, { built: true }),
      killed: false,
    }
    if (count > 2 && roll() < 0.25) {
      setTimeout(() => {
        start.killed = true
        start.server.child.kill('SIGKILL')
      }, roll() * 1_000)
    }
    return start
  })
  const settle = async (start: StartedServer): Promise<void> => {
    const { server } = start
    const info = await server.ready.catch(() => null)
    if (info !== null) {
      // An earlier owner that was killed is not an owner any more, even if its exit was not
      // reported yet.
      if (owner !== null && !owner.start.killed)
        fault(`${server.child.pid} and ${owner.server.child.pid} own it`)
      if (!start.killed) owner = { server, url: builds(info.baseUrl), start }
      return
    }
    const { code } = await server.ended
    if (!start.killed && code !== 78) fault(`a loser ended with ${code}: ${server.output.stderr}`)
    if (code === 78 && !/is in use by process \d+/.test(server.output.stderr))
      fault(server.output.stderr)
  }
  await Promise.all(starts.map(settle))
  // Waits for the servers that are killed a moment later, so that none of them reaches the next
  // round.
  const found = owner as (Owner & { readonly start: StartedServer }) | null
  await new Promise((resolve) =>
    setTimeout(resolve, 1_000 * Number(starts.some(({ killed }) => !killed) && count > 2)),
  )
  return found === null || found.start.killed ? null : found
}

/**
 * Ends the owner of a data directory under writes, by a kill or cleanly, and lets many servers
 * contend for the directory, round after round. There must never be two owners, the others must
 * exit with 78, and every acknowledged write must be there afterwards.
 */
export async function ownerRounds(
  directory: string,
  {
    rounds,
    most,
    seed,
    isOver,
  }: { rounds: number; most: number; seed: number; isOver: (round: number) => boolean },
): Promise<OwnersReport> {
  const roll = dice(seed)
  const all: Acknowledged[] = []
  const faults: string[] = []
  let starters = 0
  let round = 0
  for (; round < rounds && faults.length === 0 && !isOver(round); round++) {
    const count = 2 + Math.floor(roll() * (most - 1))
    starters += count
    const owner = await contest(writerArgs(directory), count, roll, (text) =>
      faults.push(`round ${round}: ${text}`),
    )
    if (owner === null) continue
    const { server, url } = owner
    faults.push(...judge(all, await readAll(url, '*')).map((text) => `round ${round}: ${text}`))
    const names = [`${round}a`, `${round}b`]
    await endUnderLoad(
      server,
      url,
      names,
      `load-${round}`,
      all,
      roll() * 100,
      roll() < 0.7 ? 'SIGKILL' : 'SIGTERM',
    )
  }
  return { rounds: round, starters, acknowledged: all.length, faults }
}

/** 300 rounds of 2 to 20 servers that start at once. */
export const run: StressTask = async ({ within, seed, requests = 300, log }) => {
  await using directory = await scratch('owners')
  const isOver = (round: number) => {
    if (round > 0 && round % 10 === 0) log(`${round} rounds`)
    return !within()
  }
  const data = join(directory.path, 'data')
  const { rounds, starters, acknowledged, faults } = await ownerRounds(data, {
    rounds: requests,
    most: 20,
    seed,
    isOver,
  })
  const few =
    acknowledged < rounds / 4 ? `only ${acknowledged} writes were acknowledged` : undefined
  return {
    figures: { rounds, starters, 'acknowledged writes': acknowledged },
    failure: faults[0] ?? few,
  }
}
