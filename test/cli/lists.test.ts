import { describe, expect, it } from 'vitest'
import { runCli } from './support/run-cli.js'
import { serverOfFile } from './support/server-of-file.js'

const started = serverOfFile()
const { run } = started

describe('builds list', () => {
  it('prints one tab-separated line a build into a pipe, in fixed columns', async () => {
    const { code, stdout, stderr } = await run(['builds', 'list', '-p', 'acme/web', '-L', '3'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    for (const line of lines) expect(line.split('\t')).toHaveLength(12)
  })

  it('starts with the column names under --header', async () => {
    const { stdout } = await run(['builds', 'list', '-p', 'acme/web', '-L', '1', '--header'])
    expect(stdout.split('\n', 1)[0]).toBe(
      'number\tstate\tblocked\tbranch\tcommit\tmessage\tcreator\tcreated_at\tstarted_at\tfinished_at\tpipeline\tweb_url',
    )
  })

  it('prints exactly one JSON array over all pages (C10)', async () => {
    const { code, stdout } = await run(
      'builds list -p acme/docs --all --per-page 10 --json=number'.split(' '),
    )
    const numbers = (JSON.parse(stdout) as { number: number }[]).map(({ number }) => number)
    expect(code).toBe(0)
    expect(numbers.length).toBeGreaterThan(20)
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  it('prints [] and exits 0 when nothing matches, in every form of JSON (C9)', async () => {
    for (const form of [['--json'], ['-o', 'json'], ['--json=number'], ['--jq', '.']]) {
      const { code, stdout } = await run([
        'builds',
        'list',
        '-p',
        'acme/web',
        '-b',
        'no-such-branch',
        ...form,
      ])
      expect({ code, stdout }).toEqual({ code: 0, stdout: '[]\n' })
    }
    const piped = await run(['builds', 'list', '-p', 'acme/web', '-b', 'no-such-branch'])
    expect(piped).toEqual({ code: 0, stdout: '', stderr: '' })
    const shown = await run(['builds', 'list', '-p', 'acme/web', '-b', 'no-such-branch'], {
      columns: 80,
    })
    expect(shown).toEqual({ code: 0, stdout: '', stderr: 'No builds match\n' })
  })

  it('says that the default limit cut the list, in every mode, and a typed one only on a terminal', async () => {
    const note = '30 builds shown, more exist: --limit N or --all\n'
    for (const form of [[], ['--json'], ['-o', 'jsonl'], ['-o', 'id']]) {
      expect((await run(['builds', 'list', '-p', 'acme/web', ...form])).stderr).toBe(note)
    }
    expect((await run(['builds', 'list', '-p', 'acme/web', '--quiet'])).stderr).toBe('')
    expect((await run(['builds', 'list', '-p', 'acme/web', '-L', '2'])).stderr).toBe('')
    expect(
      (await run(['builds', 'list', '-p', 'acme/web', '-L', '1'], { columns: 80 })).stderr,
    ).toContain('1 build shown')
  })

  it('keeps numbers, one a line, under -o id, and one object a line under -o jsonl', async () => {
    const ids = await run(['builds', 'list', '-p', 'acme/web', '-L', '3', '-o', 'id'])
    expect(ids.stdout).toMatch(/^\d+\n\d+\n\d+\n$/u)
    const lines = await run([
      'builds',
      'list',
      '-p',
      'acme/web',
      '-L',
      '3',
      '-o',
      'jsonl',
      '--json=number,state',
    ])
    for (const line of lines.stdout.trimEnd().split('\n'))
      expect(Object.keys(JSON.parse(line))).toEqual(['number', 'state'])
  })

  it('asks for no more than it shows', async () => {
    const queryOf = async (...form: string[]) => {
      await started.server.control.requests.delete()
      await run(['builds', 'list', '-p', 'acme/web', '-L', '2', ...form])
      const [request] = await started.server.control.requests.list()
      return new URLSearchParams(request?.query)
    }
    for (const form of [[], ['--json=number'], ['-o', 'id']]) {
      const query = await queryOf(...form)
      expect([...query.keys()].sort()).toEqual(['exclude_jobs', 'exclude_pipeline', 'per_page'])
      expect(query.get('per_page')).toBe('2')
    }
    expect([...(await queryOf('--json')).keys()]).toEqual(['per_page'])
    expect([...(await queryOf('--json=jobs.name')).keys()].sort()).toEqual([
      'exclude_pipeline',
      'per_page',
    ])
  })

  it('takes global flags in front of, between and behind the name', async () => {
    for (const argv of [
      ['-p', 'acme/web', '-o', 'id', 'builds', 'list', '-L', '1'],
      ['builds', '--output=id', 'list', '-L', '1', '-pacme/web'],
      ['builds', 'ls', '-L1', '-o=id', '-p=acme/web'],
    ]) {
      const { code, stdout } = await run(argv)
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\n$/u) })
    }
  })
})

describe('jq', () => {
  it('prints an empty string as an empty line, and nothing as nothing', async () => {
    const stdout = async (filter: string) =>
      (await run(['builds', 'list', '-p', 'web', '-L', '1', '--jq', filter])).stdout
    expect([await stdout('""'), await stdout('"",""'), await stdout('empty')]).toEqual([
      '\n',
      '\n\n',
      '',
    ])
  })

  it('prints strings raw, other values as one line of JSON each', async () => {
    const { stdout } = await run([
      'builds',
      'list',
      '-p',
      'acme/web',
      '-L',
      '2',
      '-q',
      '.[] | "\\(.number)", {state}',
    ])
    expect(stdout).toMatch(/^\d+\n\{"state":"[a-z_]+"\}\n\d+\n\{"state":"[a-z_]+"\}\n$/u)
  })

  it('keeps the control characters of a string', async () => {
    const filter = '"a\\u0000b\\n\\u007f", "", ["\\u0000"]'
    const { stdout } = await run(['builds', 'list', '-p', 'acme/web', '-L', '1', '-q', filter])
    expect(stdout).toBe('a\0b\n\x7f\n\n["\\u0000"]\n')
  })

  it('sees no environment', async () => {
    const { stdout } = await run(['builds', 'list', '-p', 'acme/web', '-L', '1', '-q', 'env, $ENV'])
    expect(stdout).toBe('{}\n{}\n')
  })

  it('exits 2 when the filter does not compile, 1 when it fails', async () => {
    expect((await run(['builds', 'list', '-p', 'acme/web', '-q', '.['])).code).toBe(2)
    expect((await run(['builds', 'list', '-p', 'acme/web', '-q', 'error("x")'])).code).toBe(1)
    expect((await run(['builds', 'list', '-p', 'acme/web', '-q', '"stop"|halt_error'])).code).toBe(
      1,
    )
  })
})

describe('fields', () => {
  it('nests them as in the source, maps arrays, and makes an absent one null', async () => {
    const { stdout } = await run(
      'builds list -p acme/web -L 1 --json=number,pipeline.slug,jobs.name,test_engine'.split(' '),
    )
    const [first] = JSON.parse(stdout)
    expect(Object.keys(first)).toEqual(['number', 'pipeline', 'jobs', 'test_engine'])
    expect(first.pipeline).toEqual({ slug: 'web' })
    expect(first.test_engine).toBeNull()
    for (const job of first.jobs) expect(Object.keys(job)).toEqual(['name'])
  })

  it('refuses an unknown one with the nearest names', async () => {
    const { code, stdout, stderr } = await run(['builds', 'list', '-p', 'acme/web', '--json=numbr'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'usage',
      detail: 'Did you mean number?',
      exitCode: 2,
    })
  })

  it.each([
    ['builds', 'nmae', 'Did you mean creator.name, author.name, jobs.name?'],
    ['pipelines', 'nmae', 'Did you mean name?'],
  ])('%s list: an unknown one gets names of nested fields', async (topic, field, detail) => {
    const scope = topic === 'builds' ? ['-p', 'acme/web'] : ['--org', 'acme']
    const { code, stderr } = await run([topic, 'list', ...scope, `--json=${field}`])
    expect(code).toBe(2)
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'usage', detail })
  })

  it('are refused by a command that prints a value of its own', async () => {
    for (const fields of ['help', 'user']) {
      const { code, stdout, stderr } = await runCli(['auth', 'status', `--json=${fields}`])
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain('has no fields to choose from')
      expect(stderr).toContain('--jq')
    }
  })

  it('lists them under --json=help, without asking the server', async () => {
    const { code, stdout } = await runCli(['builds', 'list', '--json=help'])
    expect(code).toBe(0)
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining(['number', 'pipeline.slug', 'jobs.name']),
    )
  })
})
