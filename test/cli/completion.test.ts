import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { candidates } from '../../cli/src/completion/complete.js'
import { completionScript } from '../../cli/src/completion/scripts.js'
import { buildManifest } from '../../cli/src/run/build-manifest.js'
import { bareEnv, runChild, shell } from './support/child.js'
import { git } from './support/repository.js'
import { runCli, VERSION } from './support/run-cli.js'

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
    expect(await complete('builds', 'retry', '-s', 'soft')).toEqual(['soft_failed'])
    expect(await complete('--output', 'j')).toEqual(['json', 'jsonl'])
    expect(await complete('--context', '')).toEqual(['acme', 'local'])
    expect(await complete('builds', 'list', '-b', 'm')).toEqual(['main'])
    expect(await complete('context', 'use', 'a')).toEqual(['acme'])
    expect(await complete('help', 'exit')).toEqual(['exit-codes'])
  })

  it('end at --', async () => {
    expect(await complete('token', 'exec', '--', '')).toEqual([])
  })
})

describe('the script', () => {
  it.each(['bash', 'zsh', 'fish'] as const)('of %s is printed', async (shell) => {
    expect(await runCli(['completion', shell])).toEqual({
      code: 0,
      stdout: completionScript(shell),
      stderr: '',
    })
  })

  it('of another shell is refused', async () => {
    expect(await runCli(['completion', 'tcsh'])).toMatchObject({ code: 2 })
  })

  it('of bash inserts names as data, quoted, and evaluates none', async () => {
    const home = await mkdtemp(join(tmpdir(), 'ci-bash-'))
    const env = await bareEnv()
    await git(home, 'init', '-q', '-b', 'main')
    await git(home, 'commit', '-q', '--allow-empty', '-m', 'x')
    await git(home, 'branch', 'x$(touch${IFS}pwned)')
    const ask = async (line: string) => {
      const script = `
        source <(ci completion bash)
        COMP_LINE=${JSON.stringify(line)} COMP_POINT=${line.length}
        read -r -a COMP_WORDS <<< "$COMP_LINE"; [[ "$COMP_LINE" == *" " ]] && COMP_WORDS+=("")
        COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
        _ci_complete
        printf '%s\\n' "\${COMPREPLY[@]}"`
      const { stdout } = await shell(script, { env, cwd: home }).done
      return stdout.trimEnd().split('\n')
    }
    expect(await ask('ci builds ca')).toEqual(['cancel'])
    expect(await ask('ci builds list --state fail')).toEqual(['failing', 'failed'])
    expect(await ask('ci builds list --json=numb')).toEqual(['number'])
    const branches = await ask('ci builds list -b ')
    expect(branches).toContain('main')
    expect(branches.join()).toContain('x\\$\\(touch')
    expect(await readdir(home)).not.toContain('pwned')
  })

  it('asks a program that answers from the manifest and the files beside it', async () => {
    const { code, stdout } = await runChild(['__complete', 'bash', 'builds', 'get', '--exit'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '--exit-status\n' })
  })
})
