import { getEventListeners } from 'node:events'
import { type CiEvent, type Middleware, type Transport, waitForBuild } from '@buildwire/sdk'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Cancellation } from '../../sdk/src/transport/cancellation.js'
import { buildPath, client, signalled, transports } from './support/client.js'
import { SleeplessClock } from './support/clock.js'
import { HandClock } from './support/hand-clock.js'
import { build, json, serve } from './support/server.js'

/** A signal that must be free of listeners when the test ends. */
function watchedSignal(): AbortController {
  const controller = new AbortController()
  onTestFinished(() => expect(getEventListeners(controller.signal, 'abort')).toEqual([]))
  return controller
}

test('H5: 1 000 calls at once on one signal give no MaxListenersExceededWarning and leave 0 listeners', async () => {
  const warnings: Error[] = []
  const listen = (warning: Error): void => void warnings.push(warning)
  process.on('warning', listen)
  onTestFinished(() => void process.off('warning', listen))
  const { signal } = watchedSignal()
  const server = await serve((response) => json(response, 200, build(42)))
  const ci = client(server.url)
  const calls = Array.from({ length: 1_000 }, () => ci.builds.get(buildPath, { signal }))
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  await Promise.all(calls)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  await new Promise((resolve) => setImmediate(resolve))
  expect(warnings).toEqual([])
})

test('a cancellation calls its listeners, except those that were removed', () => {
  const cancellation = new Cancellation()
  const heard: string[] = []
  cancellation.onCancel(() => heard.push('stays'))
  cancellation.onCancel(() => heard.push('left'))()
  cancellation.cancel('reason')
  expect(heard).toEqual(['stays'])
})

describe('an abort rejects at once with the reason, untouched', () => {
  const reason = { not: 'even an Error' }

  test('before the call: nothing is sent, and a wrong parameter is told first', async () => {
    const server = await serve((response) => json(response, 200, build(42)))
    const controller = watchedSignal()
    controller.abort(reason)
    const ci = client(server.url)
    await expect(ci.builds.get(buildPath, { signal: controller.signal })).rejects.toBe(reason)
    await expect(ci.builds.list({}, { signal: controller.signal })).rejects.toBe(reason)
    await expect(
      ci.builds.get({ ...buildPath, number: -1 }, { signal: controller.signal }),
    ).rejects.toMatchObject({
      code: 'config',
    })
    expect(server.requests).toEqual([])
  })

  test.each(transports)('while the server thinks, over %s', async (_, transport) => {
    const arrived = signalled()
    const closed = signalled()
    const server = await serve((response) => {
      response.on('close', closed.fire)
      arrived.fire()
    })
    const controller = watchedSignal()
    const call = client(server.url, { transport: transport() }).builds.get(buildPath, {
      signal: controller.signal,
    })
    await arrived.done
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    await closed.done
  })

  test('while the body comes', async () => {
    const closed = signalled()
    const server = await serve((response) => {
      response.on('close', closed.fire)
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{')
    })
    const controller = watchedSignal()
    const seen = signalled()
    const middleware: Middleware[] = [
      async (request, next) => {
        const response = await next(request)
        setImmediate(seen.fire)
        return response
      },
    ]
    const call = client(server.url, { middleware }).builds.get(buildPath, {
      signal: controller.signal,
    })
    await seen.done
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    await closed.done
  })

  test('while the token is being fetched, and the provider hears of it', async () => {
    const asked = signalled()
    const heard = signalled()
    const auth = {
      getToken: (options?: { signal?: AbortSignal | undefined }) => {
        options?.signal?.addEventListener('abort', heard.fire)
        asked.fire()
        return new Promise<never>(() => {})
      },
      invalidate: () => {},
    }
    const controller = watchedSignal()
    const call = client('http://127.0.0.1:9', { auth }).builds.get(buildPath, {
      signal: controller.signal,
    })
    await asked.done
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    await heard.done
  })

  test('H3: at the gate and between retries, leaving no timer', async () => {
    for (const headers of [{ 'RateLimit-Remaining': '0', 'RateLimit-Reset': '30' }, {}]) {
      const clock = new HandClock({ jump: false })
      const waiting = signalled()
      const server = await serve((response, _, index) =>
        index === 0 && headers['RateLimit-Reset'] !== undefined
          ? json(response, 200, build(42), headers)
          : json(response, 503, {}),
      )
      const onEvent = (event: CiEvent): void => {
        if (event.type === 'rate_limit' || event.type === 'retry') waiting.fire()
      }
      const ci = client(server.url, { clock, onEvent })
      if (headers['RateLimit-Reset'] !== undefined) await ci.builds.get(buildPath)
      const controller = watchedSignal()
      const call = ci.builds.get(buildPath, { signal: controller.signal })
      await waiting.done
      controller.abort(reason)
      await expect(call).rejects.toBe(reason)
      expect(clock.sleeping).toBe(0)
    }
  })

  test('in the middle of an iteration: what was read stays', async () => {
    const server = await serve((response, _, index) =>
      json(response, 200, [build(9 - index)], {
        link: `</v2/builds?page=${index + 2}>; rel="next"`,
      }),
    )
    const controller = watchedSignal()
    const numbers: number[] = []
    const walk = async (): Promise<void> => {
      for await (const item of client(server.url).builds.list({}, { signal: controller.signal })) {
        numbers.push(item.number)
        if (numbers.length === 3) controller.abort(reason)
      }
    }
    await expect(walk()).rejects.toBe(reason)
    expect(numbers).toEqual([9, 8, 7])
  })

  test('while waiting for a build', async () => {
    const server = await serve((response) => json(response, 200, build(42, { state: 'running' })))
    const clock = new HandClock({ jump: false })
    const waiting = signalled()
    const controller = watchedSignal()
    const onEvent = (event: CiEvent): void => void (event.type === 'build' && waiting.fire())
    const wait = waitForBuild(client(server.url, { clock, onEvent }), buildPath, {
      signal: controller.signal,
    })
    await waiting.done
    await new Promise((resolve) => setImmediate(resolve))
    controller.abort(reason)
    await expect(wait).rejects.toBe(reason)
    expect(clock.sleeping).toBe(0)
  })
})

test('an answer that comes after the caller has left is thrown away, so that its connection is free again', async () => {
  const asked = signalled()
  const discarded = signalled()
  const answering = signalled()
  const transport: Transport = async () => {
    asked.fire()
    await answering.done
    const unread = (): never => expect.fail('was read')
    const discard = async (): Promise<void> => discarded.fire()
    const body = { text: unread, bytes: unread, stream: unread, discard }
    return { status: 200, header: () => undefined, entries: () => [], ...body }
  }
  const controller = watchedSignal()
  const call = client('http://127.0.0.1:9', { transport }).builds.get(buildPath, {
    signal: controller.signal,
  })
  await asked.done
  controller.abort()
  await expect(call).rejects.toBe(controller.signal.reason)
  answering.fire()
  await discarded.done
})

test('aborting one of two calls on different signals leaves the other alone', async () => {
  const arrived = signalled()
  const go = signalled()
  const server = await serve(async (response, _, index) => {
    if (index === 1) arrived.fire()
    await go.done
    json(response, 200, build(42))
  })
  const ci = client(server.url)
  const [leaver, stayer] = [watchedSignal(), watchedSignal()]
  const left = ci.builds.get(buildPath, { signal: leaver.signal })
  const stays = ci.builds.get(buildPath, { signal: stayer.signal })
  await arrived.done
  leaver.abort()
  await expect(left).rejects.toBe(leaver.signal.reason)
  go.fire()
  expect(await stays).toMatchObject({ number: 42 })
})

test('a call that uses withResponse() alone leaves no unhandled rejection', async () => {
  const server = await serve((response) => json(response, 404, { message: 'No build found' }))
  const unhandled: unknown[] = []
  const listen = (reason: unknown): void => void unhandled.push(reason)
  process.on('unhandledRejection', listen)
  onTestFinished(() => void process.off('unhandledRejection', listen))
  const ci = client(server.url, { clock: new SleeplessClock() })
  await expect(ci.builds.get(buildPath).withResponse()).rejects.toMatchObject({ code: 'not_found' })
  await expect(ci.builds.get(buildPath).finally(() => {})).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(await ci.builds.get(buildPath).catch(() => 'caught')).toBe('caught')
  await new Promise((resolve) => setImmediate(resolve))
  expect(unhandled).toEqual([])
})
