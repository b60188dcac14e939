import { strict as assert } from 'node:assert'
import type { Job } from '@buildwire/sdk/contract'
import {
  type ApiResponse,
  ask,
  type ConformanceRow,
  expectEach,
  expectParts,
  expectRefusal,
  expectStatus,
  rels,
} from '../target.js'
import { jobAt, jobOf } from './job-loop.js'
import { benchRows } from './workbench.js'

const annotationRows = benchRows({
  'AN1 D wire/extensions: annotations.create: 201, Markdown as HTML; one annotation per context':
    async (bench) => {
      const build = await bench.create()
      const path = `/${build.number}/annotations`
      const create = async (json: object) => {
        const answer = await bench.builds(path, { method: 'POST', json })
        expectStatus(answer, 201)
        return answer.json
      }
      const first = await create({ body: '**1** test failed' })
      assert.deepEqual(
        [first.context, first.style, first.scope, first.priority],
        ['default', 'info', 'build', 3],
      )
      assert.equal(first.body_html.trim(), '<p><strong>1</strong> test failed</p>')
      const longer = await create({ body: 'See `cart`', append: true, style: 'error' })
      assert.deepEqual(
        [longer.id, longer.style, longer.created_at],
        [first.id, 'error', first.created_at],
      )
      assert.match(
        longer.body_html,
        /<strong>1<\/strong> test failed<\/p>\s*<p>See <code>cart<\/code><\/p>/,
      )
      const replaced = await create({ body: '<em>fine</em>', style: null })
      assert.deepEqual([replaced.id, replaced.style], [first.id, 'info'])
      assert.match(replaced.body_html, /<em>fine<\/em>/)
      await create({ body: 'later', context: 'last', priority: 1 })
      await create({ body: 'first of all', context: 'top', priority: 10 })
      const list = await bench.builds(path)
      expectEach(list.json, 'context', ['top', 'default', 'last'])
      const page = await bench.builds(`${path}?per_page=2`)
      assert.deepEqual([page.json.length, rels(page)], [2, 'next last'])
      assert.deepEqual(
        (await bench.builds(`/${(await bench.create()).number}/annotations`)).json,
        [],
      )
    },
  'AN2 D wire/refusals: annotations.create names each invalid property, also a text that is too long':
    async (bench) => {
      const { number } = await bench.create()
      const send = (json: object) =>
        bench.builds(`/${number}/annotations`, { method: 'POST', json })
      const limits = 'must have 1 to 65536 characters, with the text it is appended to'
      const refused = await send({ style: 'loud', priority: 11, context: ' ', append: 7 })
      expectStatus(refused, 422)
      assert.deepEqual(refused.json.errors, [
        { field: 'body', code: 'missing', message: limits },
        ...['style', 'priority', 'context', 'append'].map((field) => ({ field, code: 'invalid' })),
      ])
      const tooLong = [{ field: 'body', code: 'invalid', message: limits }]
      expectParts((await send({ body: 'x'.repeat(65_537) })).json, { errors: tooLong })
      expectStatus(await send({ body: 'x'.repeat(40_000) }), 201)
      const appended = await send({ body: 'x'.repeat(40_000), append: true })
      expectStatus(appended, 422)
      assert.deepEqual(appended.json.errors, tooLong)
      expectStatus(await send({ body: '>'.repeat(20_000), context: 'deep' }), 201)
    },
})

const artifactRows = benchRows({
  'AR1 D wire/extensions: artifacts.list and listForJob: by path, in pages; removed with their build':
    async (bench, target) => {
      const build = await bench.create()
      const lint = jobOf(build, 'lint')
      const test = jobOf(build, 'test')
      const leave = (job: Job, path: string, more: object = {}) =>
        bench.control.artifacts.create({ job_id: job.id, path, content: 'abc', ...more })
      await leave(test, 'reports/junit.xml', { mime_type: 'application/xml' })
      await leave(lint, 'lint.txt')
      await leave(test, '../../x', { base64: 'AAH/', content: null })
      const all = await bench.builds(`/${build.number}/artifacts`)
      const paths = (answer: ApiResponse) => answer.json.map(({ path }: { path: string }) => path)
      assert.deepEqual(paths(all), ['../../x', 'lint.txt', 'reports/junit.xml'])
      const page = await bench.builds(`/${build.number}/artifacts?per_page=2`)
      assert.deepEqual([paths(page), rels(page)], [['../../x', 'lint.txt'], 'next last'])
      const ofTest = await jobAt(bench, build, test, '/artifacts')
      assert.deepEqual(paths(ofTest), ['../../x', 'reports/junit.xml'])
      const [, report] = ofTest.json
      expectParts(report, {
        job_id: test.id,
        dirname: 'reports',
        filename: 'junit.xml',
        mime_type: 'application/xml',
      })
      expectParts(report, { file_size: 3, state: 'finished', glob_path: null })
      assert.equal(report.sha1sum, 'a9993e364706816aba3e25717850c26c9cd0d89d')
      assert.equal(all.json[1].dirname, '.')
      await bench.control.records.delete({ collection: 'builds', key: build.id })
      expectRefusal(await ask(target, all.json[0].download_url), 404, 'No build found')
    },
  'AR3 D wire/extensions: artifacts.list and listForJob: by paths and patterns, by states': async (
    bench,
  ) => {
    const build = await bench.create()
    const lint = jobOf(build, 'lint')
    const test = jobOf(build, 'test')
    const leave = (job: Job, path: string, state: 'finished' | 'expired' = 'finished') =>
      bench.control.artifacts.create({ job_id: job.id, path, content: 'abc', state })
    await leave(test, 'reports/deep/junit.xml')
    await leave(test, 'reports/old.xml', 'expired')
    await leave(lint, 'lint.txt')
    const paths = async (answer: Promise<ApiResponse>) =>
      (await answer).json.map(({ path }: { path: string }) => path)
    const ofBuild = (query: string) => paths(bench.builds(`/${build.number}/artifacts?${query}`))
    assert.deepEqual(await ofBuild('path=reports/*.xml'), [
      'reports/deep/junit.xml',
      'reports/old.xml',
    ])
    assert.deepEqual(await ofBuild('path[]=lint.txt&path[]=reports/o*'), [
      'lint.txt',
      'reports/old.xml',
    ])
    assert.deepEqual(await ofBuild('path=*.xml&state=finished'), ['reports/deep/junit.xml'])
    assert.deepEqual(await ofBuild('state[]=expired&state[]=new'), ['reports/old.xml'])
    assert.deepEqual(await paths(jobAt(bench, build, lint, '/artifacts?path=*')), ['lint.txt'])
    expectRefusal(
      await bench.builds(`/${build.number}/artifacts?state=lost`),
      400,
      'Invalid states: lost. Valid states are new, error, finished, deleted, expired.',
    )
  },
  'AR2 D wire/extensions: artifacts.download: 302 to a link without token, for 60 s, if it is finished':
    async (bench, target) => {
      const build = await bench.create()
      const job = jobOf(build, 'test')
      const base64 = Buffer.from([0, 1, 255]).toString('base64')
      const artifact = await bench.control.artifacts.create({
        job_id: job.id,
        path: 'a.bin',
        base64,
      })
      const where = artifact.download_url ?? ''
      const answer = await ask(target, where)
      expectStatus(answer, 302)
      const { url } = answer.json
      assert.equal(answer.headers.get('location'), url)
      const content = await target.send(url, {})
      assert.deepEqual(
        [content.status, content.headers.get('content-type')],
        [200, 'application/octet-stream'],
      )
      assert.deepEqual([...new Uint8Array(await content.arrayBuffer())], [0, 1, 255])
      assert.match(content.headers.get('content-security-policy') ?? '', /sandbox/)
      for (const spoilt of [
        url.replace(/.$/, ''),
        url.replace(/expires=\d/, 'expires=9'),
        url.split('?')[0],
      ]) {
        assert.equal((await target.send(spoilt, {})).status, 403)
      }
      await bench.control.clock.advance({ ms: 60_000 })
      assert.equal((await target.send(url, {})).status, 403)
      const gone = await bench.control.artifacts.create({
        job_id: job.id,
        path: 'b',
        state: 'expired',
      })
      expectRefusal(await ask(target, gone.download_url ?? ''), 404, 'The artifact is expired')
      const other = jobOf(build, 'lint')
      expectRefusal(await ask(target, where.replace(job.id, other.id)), 404, 'No artifact found')
    },
})

export const attachmentRows: readonly ConformanceRow[] = [...annotationRows, ...artifactRows]
