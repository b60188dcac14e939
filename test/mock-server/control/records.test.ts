import { expect } from 'vitest'
import { it } from '../../support/acme-test.js'
import { acmeServer, controlOver } from '../../support/control-client.js'

it('settings and lifecycle are read as one value, which apply accepts', async () => {
  await using server = acmeServer({ pollGraceMs: 250 })
  const control = controlOver(server)
  const settings = await control('GET', '/records/settings')
  expect(settings).toMatchObject({ status: 200, body: { pollGraceMs: 250, vendor: 'buildwire' } })
  expect((await control('GET', '/records/lifecycle')).body).toEqual({ policy: 'manual' })

  const changed = {
    settings: { ...settings.body, pollGraceMs: 5 },
    lifecycle: { policy: 'timed', speed: 2 },
  }
  expect((await control('POST', '/apply', changed)).status).toBe(200)
  expect(await server.control.records.list({ collection: 'settings' })).toMatchObject({
    pollGraceMs: 5,
  })
  expect(await server.control.records.list({ collection: 'lifecycle' })).toEqual({
    policy: 'timed',
    speed: 2,
  })

  expect((await control('GET', '/records/settings?vendor=x')).status).toBe(422)
  expect((await control('GET', '/records/settings/vendor')).status).toBe(422)
  expect((await control('DELETE', '/records/lifecycle/policy')).status).toBe(422)
})

it('the case of ASCII letters does not matter in an e-mail address; that of other letters does', async ({
  server,
}) => {
  await server.control.apply({ users: [{ email: 'kim@acme.example', name: 'Kim' }] })
  const find = (key: string) => server.control.records.get({ collection: 'users', key })
  await expect(find('KIM@acme.example')).resolves.toMatchObject({ name: 'Kim' })
  await expect(find('\u212aim@acme.example')).rejects.toMatchObject({ code: 'not_found' })
})

it('annotations and artifacts are listed with their build, and without the content of files', async () => {
  await using server = acmeServer({ seed: 'demo' })
  const [note] = await server.control.records.list({ collection: 'annotations', build: 926 })
  expect(note).toMatchObject({ style: 'error', context: 'unit', build: 926 })
  const [file] = await server.control.records.list({ collection: 'artifacts', build: 926 })
  expect(Object.keys(file ?? {})).toEqual(
    expect.arrayContaining(['path', 'file_size', 'sha1sum', 'build']),
  )
  expect(file).not.toHaveProperty('content')
})
