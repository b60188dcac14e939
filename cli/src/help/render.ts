import type { Paint } from '../io/color.js'
import { blank, lines, type Printable, say } from '../io/printable.js'
import { pad, trimmed, wrap } from '../io/width.js'
import { commandName, type Manifest, type ManifestCommand, type ManifestFlag } from './manifest.js'

export interface HelpLooks {
  readonly width: number
  readonly paint: Paint
  readonly ascii: boolean
}

interface Entry {
  readonly label: string
  readonly text: string
}

/** Help on everything: what there is, in one screen. */
export function rootHelp(manifest: Manifest, looks: HelpLooks): Printable {
  const single = Object.values(manifest.commands).filter(({ id }) => !id.includes(':') && !id.startsWith('__'))
  const present = Object.entries(manifest.topics).filter(([topic]) => commandsOf(topic, manifest).length > 0)
  return page([
    say`Builds, test records and tokens of a continuous-integration service, from the command line`,
    blank,
    looks.paint('bold', 'Usage'),
    say`  ci TOPIC VERB [ARGUMENTS] [FLAGS]`,
    blank,
    looks.paint('bold', 'Topics'),
    ...table(
      present.map(([label, text]) => ({ label, text })),
      looks,
    ),
    blank,
    looks.paint('bold', 'Commands'),
    ...table(
      single.map(({ id, summary }) => ({ label: id, text: summary })),
      looks,
    ),
    blank,
    looks.paint('bold', 'Start here'),
    say`  ci server start --set-context local    a server of your own, with sample builds`,
    say`  ci builds list                         the newest builds of this repository`,
    blank,
    say`Texts: ci help ${Object.keys(manifest.helpTopics).join(' | ')}`,
    say`Each command: ci TOPIC VERB --help (with --json: its schema)`,
  ])
}

export function topicHelp(topic: string, manifest: Manifest, looks: HelpLooks): Printable {
  const entries = commandsOf(topic, manifest).map((command) => ({ label: synopsis(command), text: command.summary }))
  return page([
    say`${manifest.topics[topic] ?? topic}`,
    blank,
    looks.paint('bold', 'Commands'),
    ...table(entries, looks),
    blank,
    say`Each command: ci ${topic} VERB --help`,
  ])
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
  return args.join('') + (command.tail ? ' -- CMD...' : '')
}

/** Help on one command: what it does, how it is called, its flags, examples that run. */
export function commandHelp(command: ManifestCommand, looks: HelpLooks): Printable {
  const flags = Object.values(command.flags)
  const own = flags.filter(({ helpGroup }) => helpGroup !== 'GLOBAL')
  const global = flags.filter(({ helpGroup }) => helpGroup === 'GLOBAL')
  const section = (title: string, entries: readonly Entry[]) =>
    entries.length === 0 ? [] : [blank, looks.paint('bold', title), ...table(entries, looks)]
  const args = Object.values(command.args).map(({ name, description }) => ({
    label: name.toUpperCase(),
    text: description,
  }))
  return page([
    ...wrap(command.summary, looks.width),
    ...(command.description === null ? [] : [blank, ...paragraphs(command.description, looks.width)]),
    blank,
    looks.paint('bold', 'Usage'),
    say`  ${synopsis(command)}${own.length > 0 ? ' [FLAGS]' : ''}`,
    ...section('Arguments', args),
    ...section('Flags', own.map(flagEntry)),
    ...section('Global flags', global.map(flagEntry)),
    blank,
    looks.paint('bold', 'Examples'),
    ...command.examples.map((example) => say`  $ ${example}`),
    ...(command.scope === null ? [] : [blank, say`Scope: ${command.scope}`]),
  ])
}

function flagEntry(flag: ManifestFlag): Entry {
  const letter = flag.char === undefined ? '    ' : `-${flag.char}, `
  const value =
    flag.type === 'boolean' ? '' : flag.bare === undefined ? ` ${flag.helpValue ?? 'VALUE'}` : (flag.helpValue ?? '')
  return { label: `${letter}--${flag.name}${value}${flag.multiple ? ' ...' : ''}`, text: flag.summary }
}

const LABEL_MAX = 36

function table(entries: readonly Entry[], looks: HelpLooks): Printable[] {
  const label = Math.min(LABEL_MAX, Math.max(0, ...entries.map((entry) => entry.label.length)))
  return entries.flatMap((entry) => {
    const lines = wrap(entry.text, Math.max(looks.width - label - 4, 20))
    const [first = blank, ...more] = lines
    const indent = ' '.repeat(label + 4)
    const head =
      entry.label.length <= label
        ? [say`  ${pad(entry.label, label)}  ${first}`]
        : [say`  ${entry.label}`, say`${indent}${first}`]
    return [...head, ...more.map((line) => say`${indent}${line}`)]
  })
}

function paragraphs(text: string, width: number): Printable[] {
  return text.split('\n').flatMap((line) => (line === '' ? [blank] : wrap(line, width)))
}

function page(all: readonly Printable[]): Printable {
  return lines(all.map(trimmed))
}
