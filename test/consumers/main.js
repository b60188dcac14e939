/**
 * `npm run consumers [-- NAME…]`: tries the packed packages in an empty project, as a user installs
 * them; each row is one promise of the documentation. Prints a table; the exit code is 1 if a row
 * fails. `--quick` tries a few rows, `--write` writes the results into docs/consumers.md, and
 * `--check` only compares the rows with the pages.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findUntried } from './names.js'
import { findStale, writePage } from './page.js'
import { makeProject, tryRow } from './project.js'
import { rows } from './rows.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean' }, write: { type: 'boolean' }, check: { type: 'boolean' } },
})

function check() {
  const faults = [...findUntried(rows), ...findStale(rows)]
  for (const fault of faults) console.error(fault)
  return faults.length === 0
}

function isChosen({ title, quick }) {
  if (values.quick) return quick
  const has = (word) => title.toLowerCase().includes(word.toLowerCase())
  return positionals.length === 0 || positionals.some(has)
}

/** The error of a row, or undefined. */
async function errorOf(row, project) {
  if (row.tool !== undefined && !existsSync(row.tool))
    return new Error(`not installed: ${row.tool}`)
  return tryRow(row, project).then(
    () => undefined,
    (error) => error,
  )
}

async function tryAll(scratch) {
  const project = await makeProject(scratch)
  const results = []
  for (const row of rows.filter(isChosen)) {
    const start = performance.now()
    const error = await errorOf(row, project)
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    const word = error === undefined ? 'ok    ' : 'FAILED'
    console.log(`${word} ${seconds.padStart(6)} s  ${row.title}`)
    if (error !== undefined) console.log(`${error.message}\n`)
    results.push([row, error])
    if (values.write) writePage(rows, results)
  }
  return results
}

async function main() {
  const scratch = mkdtempSync(join(tmpdir(), 'consumers-'))
  try {
    const results = await tryAll(scratch)
    const failed = results.filter(([, error]) => error !== undefined)
    console.log(`${results.length - failed.length} rows passed, ${failed.length} failed`)
    return failed.length === 0
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

process.exitCode = (values.check ? check() : await main()) ? 0 : 1
