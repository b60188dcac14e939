import type { Paint } from '../io/color.js'
import { blank, lines, type Printable, say } from '../io/printable.js'
import { hanging, pad, trimmed, wrap } from '../io/width.js'
import { commandName, type Manifest, type ManifestCommand, type ManifestFlag } from './manifest.js'

export interface HelpLooks {
  readonly width: number
  readonly paint: Paint
}

/** A line of a table in help: a command, argument or flag, and its description. */
interface HelpLine {
  readonly label: string
  readonly text: string
}

export function rootHelp(manifest: Manifest, looks: HelpLooks): Printable {
  const topics = Object.entries(manifest.topics)
    .filter(([topic]) => commandsOf(topic, manifest).length > 0)
    .map(([label, text]) => ({ label, text }))
  const commands = Object.values(manifest.commands)
    .filter(({ id }) => !id.includes(':'))
    .map(({ id, summary }) => ({ label: id, text: summary }))
  const all = [...topics, ...commands]
  const grouped = Object.values(GROUPS).flat()
  const others = all.filter(({ label }) => !grouped.includes(label))
  const labelWidth = Math.max(...all.map(({ label }) => label.length))
  const groups = Object.entries({ ...GROUPS, More: others.map(({ label }) => label) }).flatMap(
    ([title, labels]) => {
      const shown = labels.flatMap((each) => all.filter(({ label }) => label === each))
      return section(title, table(shown, looks, labelWidth), looks)
    },
  )
  const texts = `Texts: ci help ${Object.keys(manifest.helpTopics).join(' | ')}`

  return page([
    ...wrap(
      'Builds, test records and tokens of a continuous-integration service, from the command line',
      looks.width,
      null,
    ),
    ...section('Usage', [say`  ci TOPIC VERB [ARGUMENTS] [FLAGS]`], looks),
    ...groups,
    ...section('Start here', table(START, looks), looks),
    blank,
    ...wrap(texts, looks.width, null),
    ...wrap('Each command: ci TOPIC VERB --help (with --json: its schema)', looks.width, null),
  ])
}

/** Topics and commands in the order in which a newcomer needs them. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Every day': [
    'builds',
    'why',
    'status',
    'browse',
    'jobs',
    'artifacts',
    'annotations',
    'tests',
    'pipelines',
    'organizations',
  ],
  'Set up': ['auth', 'context', 'doctor', 'completion', 'mcp'],
  'Servers and programs': ['server', 'api', 'token', 'keys'],
}

const START: readonly HelpLine[] = [
  { label: 'ci server start --set-context local', text: 'Your own server, with sample builds' },
  { label: 'ci builds list', text: 'The newest builds of this repository' },
]

export function topicHelp(topic: string, manifest: Manifest, looks: HelpLooks): Printable {
  const commands = commandsOf(topic, manifest).map((command) => ({
    label: synopsis(command),
    text: command.summary,
  }))

  return page([
    say`${manifest.topics[topic] ?? topic}`,
    ...section('Commands', table(commands, looks), looks),
    blank,
    say`Each command: ci ${topic} VERB --help`,
  ])
}

/** Lines under a title; no title without lines. */
function section(title: string, lines: readonly Printable[], looks: HelpLooks): Printable[] {
  return lines.length === 0 ? [] : [blank, looks.paint('bold', title), ...lines]
}

function commandsOf(topic: string, manifest: Manifest): ManifestCommand[] {
  return Object.values(manifest.commands).filter(({ id }) => id.startsWith(`${topic}:`))
}

function synopsis(command: ManifestCommand): string {
  return `ci ${commandName(command.id)}${argumentsText(command)}`
}

function argumentsText(command: ManifestCommand): string {
  if (command.usage !== null) return ` ${command.usage}`
  const args = Object.values(command.args).map(({ name, required, multiple }) => {
    const word = `${name.toUpperCase()}${multiple ? '...' : ''}`
    return required ? ` ${word}` : ` [${word}]`
  })
  const tail = command.tail ? ' -- CMD...' : ''
  return args.join('') + tail
}

/** Help on one command: what it does, how it is called, its flags, examples that run. */
export function commandHelp(command: ManifestCommand, looks: HelpLooks): Printable {
  const { description, scope } = command
  const flags = Object.values(command.flags)
  const commandFlags = flags.filter(({ helpGroup }) => helpGroup !== 'GLOBAL')
  const globalFlags = flags.filter(({ helpGroup }) => helpGroup === 'GLOBAL')
  const args = Object.values(command.args).map(({ name, description: text }) => ({
    label: name.toUpperCase(),
    text,
  }))
  const usage = say`  ${synopsis(command)}${commandFlags.length > 0 ? ' [FLAGS]' : ''}`
  const examples = command.examples.map((example) => say`  $ ${example}`)

  return page([
    ...wrap(command.summary, looks.width),
    ...(description === null ? [] : [blank, ...wrap(description, looks.width)]),
    ...section('Usage', [usage], looks),
    ...section('Arguments', table(args, looks), looks),
    ...section('Flags', table(commandFlags.map(flagLine), looks), looks),
    ...section('Global flags', table(globalFlags.map(flagLine), looks), looks),
    ...section('Examples', examples, looks),
    ...(scope === null ? [] : [blank, say`Scope: ${scope}`]),
  ])
}

function flagLine(flag: ManifestFlag): HelpLine {
  const letter = flag.char === undefined ? '    ' : `-${flag.char}, `
  const repeats = flag.multiple ? ' ...' : ''
  return {
    label: `${letter}--${flag.name}${flagValue(flag)}${repeats}`,
    text: flag.summary,
  }
}

/** The value behind a flag: none, attached by `=`, or the next word. */
function flagValue({ type, bare, helpValue }: ManifestFlag): string {
  if (type === 'boolean') return ''
  const isAttached = bare !== undefined
  return isAttached ? (helpValue ?? '') : ` ${helpValue ?? 'VALUE'}`
}

/** A longer label gets a line of its own. */
const LABEL_MAX = 36

/** Labels in one column, texts in the next. */
function table(
  helpLines: readonly HelpLine[],
  looks: HelpLooks,
  longest = Math.max(0, ...helpLines.map(({ label }) => label.length)),
): Printable[] {
  const labelWidth = Math.min(LABEL_MAX, longest, Math.floor(looks.width / 2))
  const indent = labelWidth + 4

  return helpLines.flatMap(({ label, text }) => {
    const isLong = label.length > labelWidth
    const start = looks.paint('cyan', pad(isLong ? '' : `  ${label}`, indent))
    const textLines = hanging(start, indent, say`${text}`, looks.width)
    return isLong ? [say`  ${looks.paint('cyan', label)}`, ...textLines] : textLines
  })
}

function page(all: readonly Printable[]): Printable {
  return lines(all.map(trimmed))
}
