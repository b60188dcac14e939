import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { quoteForBash, readBashWords } from '../../cli/src/completion/bash-words.js'
import { candidates } from '../../cli/src/completion/complete.js'
import { completionScript, SHELLS } from '../../cli/src/completion/scripts.js'
import { buildManifest } from '../../cli/src/run/build-manifest.js'
import { has, runChild } from './support/child.js'
import { git } from './support/repository.js'
import { runCli, VERSION } from './support/run-cli.js'
import { typedLines } from './support/typed-lines.js'

const manifest = await buildManifest(VERSION)
const dynamic = {
  contexts: async () => ['acme', 'local', 'evil\u0007name'],
  branches: async () => ['main', 'feat/a;rm -rf', '$(touch pwned)'],
}
const complete = (...words: string[]) => candidates(words, manifest, dynamic)

describe('candidates', () => {
  it('are topics, single commands and verbs', async () => {
    expect(await complete('')).toEqual(expect.arrayContaining(['builds', 'tests', 'api', 'doctor']))
    expect(await complete('bui')).toEqual(['builds'])
    expect(await complete('builds', 'ca')).toEqual(['cancel'])
    expect(await complete('-p', 'acme/web', 'builds', 'li')).toEqual(['list'])
  })

  it('are flags of the command, or the global ones before it', async () => {
    expect(await complete('builds', 'list', '--excl')).toEqual([
      '--exclude-jobs',
      '--exclude-pipeline',
    ])
    expect(await complete('--qu')).toEqual(['--quiet'])
    expect(await complete('builds', 'ls', '--head')).toEqual(['--header'])
  })

  it('are values: states, fields, scopes, contexts, branches', async () => {
    expect(await complete('builds', 'list', '--state', 'pas')).toEqual(['passed'])
    expect(await complete('builds', 'list', '-s', 'passed,fail')).toEqual([
      'passed,failing',
      'passed,failed',
    ])
    expect(await complete('builds', 'list', '--json=number,pipeline.sl')).toEqual([
      '--json=number,pipeline.slug',
    ])
    expect(await complete('why', '--json=head')).toEqual(['--json=headline'])
    expect(await complete('builds', 'retry', '-s', 'soft')).toEqual(['soft_failed'])
    expect(await complete('--output', 'j')).toEqual(['json', 'jsonl'])
    expect(await complete('--context', '')).toEqual(['acme', 'local'])
    expect(await complete('builds', 'list', '-b', 'm')).toEqual(['main'])
    expect(await complete('context', 'use', 'a')).toEqual(['acme'])
    expect(await complete('help', 'exit')).toEqual(['exit-codes'])
    expect(await complete('why', '@')).toEqual(['@latest'])
  })

  it('end at --', async () => {
    expect(await complete('token', 'exec', '--', '')).toEqual([])
  })
})

describe('the script', () => {
  it.each(SHELLS)('of %s is printed', async (shell) => {
    expect(await runCli(['completion', shell])).toEqual({
      code: 0,
      stdout: completionScript(shell),
      stderr: '',
    })
  })

  it('of another shell is refused', async () => {
    expect(await runCli(['completion', 'tcsh'])).toMatchObject({ code: 2 })
  })

  it('asks a program that answers from the manifest and the files beside it', async () => {
    const { code, stdout } = await runChild(['__complete', 'zsh', 'builds', 'get', '--exit'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '--exit-status\n' })
  })
})

describe('words of a Bash line', () => {
  it.each([
    ['ci builds  li', ['ci', 'builds', 'li']],
    ['ci -m "a b" ', ['ci', '-m', 'a b', '']],
    ['ci "a \\"b\\" \\c', ['ci', 'a "b" \\c']],
    [`ci 'a\\'b"c"\\ d`, ['ci', 'a\\bc d']],
    ['ci a\\', ['ci', 'a']],
  ])('%j are %j', (line, words) => {
    expect(readBashWords(line).words).toEqual(words)
  })

  it('are inserted after what readline keeps, in the quote that is open there', () => {
    const names = ["feat/it's $1"]
    expect(quoteForBash(names, 'feat', 'feat')).toEqual(["feat/it\\'s\\ \\$1"])
    expect(quoteForBash(names, '"feat', 'feat')).toEqual(["feat/it's \\$1"])
    expect(quoteForBash(names, "'feat", 'feat')).toEqual(["feat/it'\\''s $1"])
    expect(quoteForBash(['no!', 'no"'], '"n', 'n')).toEqual(['no"\\!""', 'no\\""'])
    expect(quoteForBash(['--json=a,b'], '--json=a,', 'a,')).toEqual(['a,b'])
    expect(quoteForBash(['--json=a,b'], '--json="a,', 'a,')).toEqual(['a,b'])
  })
})

const LINES: readonly (readonly [string, ...string[]])[] = [
  ['ci builds ca\t', 'builds', 'cancel'],
  ['ci builds list --state passed,faile\t', 'builds', 'list', '--state', 'passed,failed'],
  ['ci builds list --state "passed,faile\t', 'builds', 'list', '--state', 'passed,failed'],
  ["ci builds list --state='pas\t", 'builds', 'list', '--state=passed'],
  ['ci builds list --json=numb\t', 'builds', 'list', '--json=number'],
  ['ci --org "a b" builds ca\t', '--org', 'a b', 'builds', 'cancel'],
  ['ci builds get @la\t', 'builds', 'get', '@latest'],
  ['ci builds list -b x\t', 'builds', 'list', '-b', 'x$(touch${IFS}pwned)'],
  ['ci builds list -b "x\t', 'builds', 'list', '-b', 'x$(touch${IFS}pwned)'],
  ["ci builds list -b 'it\t", 'builds', 'list', '-b', "it's"],
  ['ci builds list --branch=a=\t', 'builds', 'list', '--branch=a=b,{c}'],
  ['ci builds list -b fe\t', 'builds', 'list', '-b', 'feat/(old)!"'],
  ['ci builds list -b "fe\t', 'builds', 'list', '-b', 'feat/(old)!"'],
]

describe.skipIf(!has('script'))('a line with tabs (needs script)', () => {
  it.for(SHELLS)('gives ci the words that %s shows, and runs no name', async (shell, { skip }) => {
    skip(!has(shell), `${shell} is not installed`)
    const cwd = await mkdtemp(join(tmpdir(), 'ci-tabs-'))
    await git(cwd, 'init', '-q', '-b', 'main')
    await git(cwd, 'commit', '-q', '--allow-empty', '-m', 'x')
    for (const name of ['x$(touch${IFS}pwned)', "it's", 'a=b,{c}', 'feat/(old)!"'])
      await git(cwd, 'branch', name)
    const given = await typedLines(
      shell,
      cwd,
      LINES.map(([line]) => line),
    )
    expect(given).toEqual(LINES.map(([, ...words]) => words))
    expect(await readdir(cwd)).toEqual(['.git'])
  })

  it.skipIf(!has('bash'))('keeps a list of bash as it is, however often', async () => {
    const lines = [
      'ci builds list --state passed,fa\t\t\t',
      'ci builds list --state "passed,fa\t\t\t"',
    ]
    const words = ['builds', 'list', '--state', 'passed,fail']
    expect(await typedLines('bash', tmpdir(), lines)).toEqual([words, words])
  })
})
