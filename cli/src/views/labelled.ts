import type { Context } from '../context.js'
import { sanitize } from '../io/sanitize.js'
import { hanging, pad } from '../io/width.js'

const INDENT = 2

/** A labelled value: broken under itself on a terminal, `label: value` for screen readers. */
export function labelled(
  { looks, io }: Pick<Context, 'looks' | 'io'>,
  label: string,
  value: string,
  labelWidth = 9,
): string[] {
  const text = sanitize(value)
  if (looks.plain) return [`${label}: ${text}`]
  const name = `${' '.repeat(INDENT)}${looks.paint('dim', pad(label, labelWidth))} `
  return io.stdout.isTTY ? hanging(name, INDENT + labelWidth + 1, text, io.stdout.columns) : [name + text]
}
