import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ArtifactService,
  canMount,
  cutRound,
  equalNamesRound,
  fullDiskRound,
  manyRound,
  openArtifactService,
  signalRound,
} from '../../stress/downloads.js'

describe('a download of the built program leaves no part of a file', { timeout: 120_000 }, () => {
  let service: ArtifactService
  beforeAll(async () => {
    service = await openArtifactService()
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('after %s', async (ending) => {
    expect(await signalRound(service, ending, 100)).toBeNull()
  })

  test('after a write above the limit of the file size', async () => {
    expect(await fullDiskRound(service, 'limit')).toBeNull()
  })

  test('on a full disk', async ({ skip }) => {
    if (!canMount(service.dir)) skip('this process may not mount a small file system')
    expect(await fullDiskRound(service, 'mount')).toBeNull()
  })

  test('after contents that broke off, and with equal names', async () => {
    expect(await cutRound(service, () => 0)).toBeNull()
    expect(await equalNamesRound(service)).toBeNull()
  })

  test('and skips what is there and equal', async () => {
    expect(await manyRound(service, 120)).toBeNull()
  })
})
