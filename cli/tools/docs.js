// Writes docs/cli/ from the manifest, so that the pages say what the program does; --check only
// compares.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { makeManifest } from './manifest.js'

const folder = new URL('../../docs/cli/', import.meta.url)
const manifest = JSON.parse(await makeManifest())
const nameOf = (id) => id.replaceAll(':', ' ')

/** Text inside a code span of a table cell. */
const code = (text) => text.replaceAll('|', '\\|')

/** Text inside a table cell or a sentence. */
const plain = (text) => code(text).replaceAll('<', '&lt;')

function synopsis({ id, args, tail, usage }) {
  const words = Object.values(args).map(({ name, required, multiple }) => {
    const word = `${name.toUpperCase()}${multiple ? '...' : ''}`
    return required ? word : `[${word}]`
  })
  const rest = usage === null ? [...words, ...(tail ? ['--', 'CMD...'] : [])] : [usage]
  return ['ci', nameOf(id), ...rest].join(' ')
}

function flagRow({ name, char, type, bare, helpValue, multiple, summary }) {
  const nextWord = bare === undefined ? ` ${helpValue ?? 'VALUE'}` : (helpValue ?? '')
  const value = type === 'boolean' ? '' : nextWord
  const letter = char === undefined ? '' : `\`-${char}\`, `
  const repeats = multiple ? ' (repeatable)' : ''
  return `| ${letter}\`${code(`--${name}${value}`)}\`${repeats} | ${plain(summary)} |`
}

function flagTable(flags) {
  return ['| flag | meaning |', '|---|---|', ...flags.map(flagRow)]
}

function commandSection(command) {
  const own = Object.values(command.flags).filter(({ helpGroup }) => helpGroup !== 'GLOBAL')
  const args = Object.values(command.args)
  const aliases = command.hiddenAliases.map((alias) => `\`ci ${nameOf(alias)}\``)
  return [
    `## ci ${nameOf(command.id)}`,
    '',
    `${command.summary}.${command.description === null ? '' : ` ${plain(command.description)}`}`,
    '',
    '```text',
    synopsis(command),
    '```',
    ...(args.length === 0
      ? []
      : [
          '',
          ...args.map(
            ({ name, description }) => `- \`${name.toUpperCase()}\`: ${plain(description)}`,
          ),
        ]),
    ...(own.length === 0 ? [] : ['', ...flagTable(own)]),
    '',
    '```sh read',
    ...command.examples,
    '```',
    ...(command.scope === null ? [] : ['', `Scope: \`${command.scope}\`.`]),
    ...(aliases.length === 0 ? [] : ['', `Also: ${aliases.join(', ')}.`]),
    '',
  ]
}

function topicPage(topic, summary) {
  const commands = Object.values(manifest.commands).filter(({ id }) => id.startsWith(`${topic}:`))
  return page([`# ci ${topic}`, '', `${summary}.`, '', ...commands.flatMap(commandSection)])
}

function singlesPage() {
  const commands = Object.values(manifest.commands).filter(({ id }) => !id.includes(':'))
  return page(['# Commands without a topic', '', ...commands.flatMap(commandSection)])
}

function globalPage() {
  const flags = Object.values(manifest.commands.version.flags).filter(
    ({ helpGroup }) => helpGroup === 'GLOBAL',
  )
  return page([
    '# Global flags',
    '',
    'Every command takes them, in front of its name too.',
    '',
    ...flagTable(flags),
    '',
  ])
}

function textPages() {
  return Object.entries(manifest.helpTopics).map(([name, text]) => {
    const [title = name, ...rest] = text.trimEnd().split('\n')
    return [
      `${name}.md`,
      page([`# ${title}`, '', `\`ci help ${name}\`:`, '', '```text', ...rest.slice(1), '```', '']),
    ]
  })
}

function indexPage() {
  const topics = Object.entries(manifest.topics)
  const commands = (topic) =>
    Object.values(manifest.commands)
      .filter(({ id }) => id.startsWith(`${topic}:`))
      .map(({ id }) => `\`${nameOf(id).slice(topic.length + 1)}\``)
  return page([
    '# The command line',
    '',
    'Made from the commands themselves by `node cli/tools/docs.js`.',
    '',
    '| topic | what it does | commands |',
    '|---|---|---|',
    ...topics.map(
      ([topic, summary]) =>
        `| [${topic}](${topic}.md) | ${summary} | ${commands(topic).join(', ')} |`,
    ),
    '',
    'Start with [a walk from login to a watched build](walk.md); for programs there is [a page ' +
      'of its own](scripts.md).',
    '',
    `Without a topic: ${Object.keys(manifest.commands)
      .filter((id) => !id.includes(':'))
      .map((id) => `[\`${id}\`](commands.md#ci-${id})`)
      .join(', ')}. [Global flags](global-flags.md).`,
    '',
    `Subjects: ${Object.keys(manifest.helpTopics)
      .map((name) => `[${name}](${name}.md)`)
      .join(', ')}.`,
    '',
  ])
}

function page(lines) {
  return `${lines.join('\n').trimEnd()}\n`
}

const MARK = 'README.md'
const pages = new Map([
  [MARK, indexPage()],
  ['global-flags.md', globalPage()],
  ['commands.md', singlesPage()],
  ...Object.entries(manifest.topics).map(([topic, summary]) => [
    `${topic}.md`,
    topicPage(topic, summary),
  ]),
  ...textPages(),
])

// Pages written by hand in the same folder; they are not touched.
const byHand = new Set(['walk.md', 'scripts.md'])

async function existing() {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.endsWith('.md') && !byHand.has(name))
}

if (process.argv.includes('--check')) {
  const wrong = []
  for (const name of new Set([...pages.keys(), ...(await existing())])) {
    const text = await readFile(new URL(name, folder), 'utf8').catch(() => null)
    if (text !== (pages.get(name) ?? null)) wrong.push(name)
  }
  if (wrong.length > 0) {
    process.stderr.write(
      `docs/cli is not what the commands say: ${wrong.join(', ')}\nRun: node cli/tools/docs.js\n`,
    )
    process.exitCode = 1
  }
} else {
  await mkdir(folder, { recursive: true })
  for (const name of await existing()) if (!pages.has(name)) await rm(new URL(name, folder))
  for (const [name, text] of pages) await writeFile(new URL(name, folder), text)
  process.stdout.write(`${pages.size} pages in ${fileURLToPath(folder)}\n`)
}
