import type { FlagTable } from '../flags/argv.js'

export type Resolution =
  | { readonly kind: 'command'; readonly id: string; readonly rest: readonly string[] }
  | { readonly kind: 'topic'; readonly topic: string; readonly rest: readonly string[] }
  | { readonly kind: 'none'; readonly rest: readonly string[] }
  | { readonly kind: 'unknown'; readonly words: readonly string[] }
  | { readonly kind: 'early_flag'; readonly flag: string }

/** The known names of commands and topics, with hidden synonyms: `builds list`, `builds`. */
export interface CommandNames {
  command(name: string): string | undefined
  topic(word: string): string | undefined
}

/**
 * Finds the command of a command line. Words that are not part of its name, such as global flags
 * before it, are in `rest`.
 */
export function resolveCommand(
  head: readonly string[],
  names: CommandNames,
  globals: FlagTable,
): Resolution {
  const rest: string[] = []
  let topic: string | undefined
  for (let at = 0; at < head.length; at++) {
    const word = head[at] ?? ''
    if (word.length > 1 && word.startsWith('-')) {
      const taken = globalFlagWords(word, globals)
      if (taken === 0)
        return topic === undefined
          ? { kind: 'early_flag', flag: word }
          : flagAfterTopic(topic, names, head, at, rest)
      rest.push(...head.slice(at, at + taken))
      at += taken - 1
      continue
    }
    if (topic === undefined) {
      topic = names.topic(word)
      if (topic !== undefined) continue
      const id = names.command(word)
      return id === undefined
        ? { kind: 'unknown', words: [word] }
        : { kind: 'command', id, rest: [...rest, ...head.slice(at + 1)] }
    }
    const id = names.command(`${topic} ${word}`)
    return id === undefined
      ? { kind: 'unknown', words: [topic, word] }
      : { kind: 'command', id, rest: [...rest, ...head.slice(at + 1)] }
  }
  return topic === undefined ? { kind: 'none', rest } : { kind: 'topic', topic, rest }
}

/** For a flag after a topic that is not global: the verb is missing, or it follows the flag. */
function flagAfterTopic(
  topic: string,
  names: CommandNames,
  head: readonly string[],
  at: number,
  rest: readonly string[],
): Resolution {
  const later = head.slice(at).findIndex((word) => names.command(`${topic} ${word}`) !== undefined)
  if (later === -1) return { kind: 'topic', topic, rest: [...rest, ...head.slice(at)] }
  return { kind: 'early_flag', flag: head[at] ?? '' }
}

/** How many words a global flag takes, with its value; 0 if the word is not a global flag. */
function globalFlagWords(word: string, globals: FlagTable): number {
  if (word.startsWith('--')) {
    const [name = ''] = word.slice(2).split('=', 1)
    const flag = globals.long(name)
    if (flag === undefined) return 0
    const takesNextWord = flag.type === 'option' && flag.bare === undefined && !word.includes('=')
    return takesNextWord ? 2 : 1
  }
  const flag = globals.short(word.charAt(1))
  if (flag === undefined) return 0
  return flag.type === 'option' && word.length === 2 ? 2 : 1
}
