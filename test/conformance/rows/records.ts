import { strict as assert } from 'node:assert'
import { ask, expectEach, expectParts, expectRefusal, expectStatus, rowsOf } from '../target.js'

const builds = '/v2/organizations/acme/pipelines/web/builds'

export const recordRows = rowsOf('seed', {
  'RC1 M wire/builds: a build has its documented fields, and URLs of the configured origins':
    async (target) => {
      const { json: build } = await ask(target, `${builds}/1`)
      expectParts(build, {
        url: `${target.baseUrl}${builds}/1`,
        web_url: `${target.webUrl}/acme/web/builds/1`,
      })
      expectParts(build, {
        graphql_id: btoa(`Build---${build.id}`),
        meta_data: { release: 'one', flag: true },
      })
      expectParts(build, { pull_request: {}, scheduled_at: build.created_at, failing_at: null })
      assert.equal(build.pipeline.slug, 'web')
      assert.ok(!('test_engine' in build))
    },
  'RC2 D wire/builds: pull request id is text, absent parts are null; a scheduled build has no creator':
    async (target) => {
      const { json: build } = await ask(target, `${builds}/6`)
      assert.deepEqual(build.pull_request, {
        id: '42',
        base: 'main',
        repository: null,
        labels: [],
        draft: false,
      })
      assert.equal(build.cancel_reason, 'No longer needed')
      const scheduled = await ask(target, `${builds}/5`)
      expectParts(scheduled.json, { creator: null, author: null })
    },
  'RC3 M wire/jobs: each type of job has exactly its keys': async (target) => {
    const { json: build } = await ask(target, `${builds}/4`)
    const [running, waiter] = build.jobs
    expectParts(running, { web_url: `${build.web_url}#${running.id}`, build_url: build.web_url })
    assert.equal(running.log_url, `${build.url}/jobs/${running.id}/log`)
    assert.equal(running.raw_log_url, `${build.url}/jobs/${running.id}/log.txt`)
    assert.equal(running.artifact_url, running.artifacts_url)
    assert.ok(!('promised_exit_status' in running))
    assert.ok(!('command' in waiter) && !('name' in waiter) && !('agent' in waiter))
    const manual = (await ask(target, `${builds}/3`)).json.jobs[1]
    expectParts(manual, { label: manual.name, unblockable: true })
    // Services without this extension have the key without a URL.
    assert.ok(manual.unblock_url === null || manual.unblock_url.endsWith('/unblock'))
    assert.ok(!('exit_status' in manual))
  },
  'RC4 D wire/records: agents are short in lists and complete elsewhere': async (target) => {
    const whole = (await ask(target, `${builds}/4`)).json.jobs[0].agent
    assert.equal(whole.name, 'builder-1')
    assert.ok('hostname' in whole && 'connection_state' in whole)
    const listed = (await ask(target, `${builds}?state=running`)).json[0].jobs[0].agent
    assert.deepEqual(Object.keys(listed), ['id', 'url', 'name'])
  },
  "RC5 M wire/records: a pipeline's counters are live": async (target) => {
    const { json } = await ask(target, '/v2/organizations/acme/pipelines/web')
    expectParts(json, {
      scheduled_builds_count: 1,
      running_builds_count: 2,
      scheduled_jobs_count: 1,
    })
    expectParts(json, { running_jobs_count: 2, waiting_jobs_count: 2 })
  },
  'RC6 M api: get: job_states, include_retried_jobs, include_test_engine': async (target) => {
    const failed = await ask(target, `${builds}/2?job_states[]=failed&include_retried_jobs=true`)
    assert.equal(failed.json.jobs.length, 2)
    const engine = (await ask(target, `${builds}/1?include_test_engine=true`)).json.test_engine
    assert.equal(engine.runs[0].suite.slug, 'web-unit')
    assert.deepEqual((await ask(target, `${builds}/2?include_test_engine=true`)).json.test_engine, {
      runs: [],
    })
    assert.ok(!('jobs' in (await ask(target, `${builds}/2?exclude_jobs=true`)).json))
    expectStatus(await ask(target, `${builds}/2?job_states=nope`), 400)
  },
  'RC7 D wire/ground: a build is found by its number only': async (target) => {
    const { id } = (await ask(target, `${builds}/1`)).json
    for (const number of [id, '0', '01', '99', '1x', '12345678901234567']) {
      expectRefusal(await ask(target, `${builds}/${number}`), 404, 'No build found')
    }
  },
  'RC8 D wire/refusals: an error names the first missing record of the path': async (target) => {
    const suite = '/v2/analytics/organizations/acme/suites'
    expectRefusal(
      await ask(target, '/v2/organizations/acme/pipelines/none/builds/1'),
      404,
      'No pipeline found',
    )
    expectRefusal(await ask(target, `${suite}/none/tests`), 404, 'No suite found')
    expectRefusal(await ask(target, `${suite}/web-unit/tests/none`), 404, 'No test found')
    expectRefusal(await ask(target, `${builds}/1/jobs/none/log`), 404, 'No job found')
  },
  'RC9 D wire/logs: a job log is available as JSON and as text, on two paths': async (target) => {
    const [job] = (await ask(target, `${builds}/1`)).json.jobs
    const path = `${builds}/1/jobs/${job.id}/log`
    const log = await ask(target, path)
    expectStatus(log, 200)
    assert.equal(log.json.size, Buffer.byteLength(log.json.content))
    const text = await ask(target, `${path}.txt`)
    assert.equal(text.text, log.json.content)
    assert.equal(text.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.equal((await ask(target, path, { headers: { accept: 'text/plain' } })).text, text.text)
    const waiter = (await ask(target, `${builds}/4`)).json.jobs[1]
    expectRefusal(await ask(target, `${builds}/4/jobs/${waiter.id}/log`), 404, 'No job found')
  },
  'RC10 D wire/extensions: user, token, organizations and pipelines describe the caller': async (
    target,
  ) => {
    assert.equal((await ask(target, '/v2/user')).json.email, 'robin@acme.example')
    const token = (await ask(target, '/v2/access-token', { as: 'reader' })).json
    expectParts(token, { scopes: ['read_builds'], expires_at: null })
    const [organization, ...others] = (await ask(target, '/v2/organizations')).json
    assert.equal(organization.pipelines_url, `${target.baseUrl}/v2/organizations/acme/pipelines`)
    assert.equal(others.length, 0)
    const named = await ask(target, '/v2/organizations/acme/pipelines?name=SERV')
    expectEach(named.json, 'slug', ['api'])
  },
})
