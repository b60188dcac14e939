import { type Printable, say } from '../io/printable.js'
import { hanging, pad } from '../io/width.js'
import type { Context } from './context.js'

const INDENT = 2

/** A labelled value: broken under itself on a terminal, `label: value` for screen readers. */
export function labelled(
  { looks, io }: Pick<Context, 'looks' | 'io'>,
  label: string,
  value: string,
  labelWidth = 9,
): Printable[] {
  const text = say`${value}`
  if (looks.plain) return [say`${label}: ${text}`]
  const name = say`${' '.repeat(INDENT)}${looks.paint('dim', pad(label, labelWidth))} `
  return io.stdout.isTTY ? hanging(name, INDENT + labelWidth + 1, text, io.stdout.columns) : [say`${name}${text}`]
}
