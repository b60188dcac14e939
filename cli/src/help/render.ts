import type { Paint } from '../io/color.js'
import { blank, lines, type Printable, say } from '../io/printable.js'
import { hanging, pad, trimmed, wrap } from '../io/width.js'
import { commandName, type Manifest, type ManifestCommand, type ManifestFlag } from './manifest.js'

export interface HelpLooks {
  readonly width: number
  readonly paint: Paint
}

interface Entry {
  readonly label: string
  readonly text: string
}

export function rootHelp(manifest: Manifest, looks: HelpLooks): Printable {
  const single = Object.values(manifest.commands).filter(({ id }) => !id.includes(':'))
  const present = Object.entries(manifest.topics).filter(
    ([topic]) => commandsOf(topic, manifest).length > 0,
  )
  const topics = present.map(([label, text]) => ({ label, text }))
  const commands = single.map(({ id, summary }) => ({ label: id, text: summary }))
  return page([
    say`Builds, test records and tokens of a continuous-integration service, from the command line`,
    ...section('Usage', [say`  ci TOPIC VERB [ARGUMENTS] [FLAGS]`], looks),
    ...section('Topics', table(topics, looks), looks),
    ...section('Commands', table(commands, looks), looks),
    ...section('Start here', START, looks),
    blank,
    say`Texts: ci help ${Object.keys(manifest.helpTopics).join(' | ')}`,
    say`Each command: ci TOPIC VERB --help (with --json: its schema)`,
  ])
}

const START = [
  say`  ci server start --set-context local    a server of your own, with sample builds`,
  say`  ci builds list                         the newest builds of this repository`,
]

export function topicHelp(topic: string, manifest: Manifest, looks: HelpLooks): Printable {
  const entries = commandsOf(topic, manifest).map((command) => ({
    label: synopsis(command),
    text: command.summary,
  }))
  return page([
    say`${manifest.topics[topic] ?? topic}`,
    ...section('Commands', table(entries, looks), looks),
    blank,
    say`Each command: ci ${topic} VERB --help`,
  ])
}

/** Lines under a title; without lines there is neither. */
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
  return args.join('') + (command.tail ? ' -- CMD...' : '')
}

/** Help on one command: what it does, how it is called, its flags, examples that run. */
export function commandHelp(command: ManifestCommand, looks: HelpLooks): Printable {
  const flags = Object.values(command.flags)
  const own = flags.filter(({ helpGroup }) => helpGroup !== 'GLOBAL')
  const global = flags.filter(({ helpGroup }) => helpGroup === 'GLOBAL')
  const args = Object.values(command.args).map(({ name, description: text }) => ({
    label: name.toUpperCase(),
    text,
  }))
  return page([
    ...wrap(command.summary, looks.width),
    ...(command.description === null ? [] : [blank, ...wrap(command.description, looks.width)]),
    ...section('Usage', [say`  ${synopsis(command)}${own.length > 0 ? ' [FLAGS]' : ''}`], looks),
    ...section('Arguments', table(args, looks), looks),
    ...section('Flags', table(own.map(flagEntry), looks), looks),
    ...section('Global flags', table(global.map(flagEntry), looks), looks),
    ...section(
      'Examples',
      command.examples.map((example) => say`  $ ${example}`),
      looks,
    ),
    ...(command.scope === null ? [] : [blank, say`Scope: ${command.scope}`]),
  ])
}

function flagEntry(flag: ManifestFlag): Entry {
  const letter = flag.char === undefined ? '    ' : `-${flag.char}, `
  const value =
    flag.type === 'boolean'
      ? ''
      : flag.bare === undefined
        ? ` ${flag.helpValue ?? 'VALUE'}`
        : (flag.helpValue ?? '')
  return {
    label: `${letter}--${flag.name}${value}${flag.multiple ? ' ...' : ''}`,
    text: flag.summary,
  }
}

const LABEL_MAX = 36

function table(entries: readonly Entry[], looks: HelpLooks): Printable[] {
  const label = Math.min(LABEL_MAX, Math.max(0, ...entries.map((entry) => entry.label.length)))
  const indent = label + 4
  return entries.flatMap((entry) => {
    const isLong = entry.label.length > label
    const start = pad(isLong ? '' : `  ${entry.label}`, indent)
    return [
      ...(isLong ? [say`  ${entry.label}`] : []),
      ...hanging(start, indent, say`${entry.text}`, looks.width),
    ]
  })
}

function page(all: readonly Printable[]): Printable {
  return lines(all.map(trimmed))
}
