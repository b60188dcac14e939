import { stateMark } from '@buildwire/sdk/contract'
import { html } from 'hono/html'

/**
 * A part of a page. Texts are escaped, markup is kept, and false, null and undefined are left out.
 */
export type Child =
  | ReturnType<typeof html>
  | string
  | number
  | false
  | null
  | undefined
  | readonly Child[]

export interface PageLink {
  readonly href: string
  readonly text: string
}

export type PageFact = readonly [name: Child, value: Child]

/** A state as a badge with its name, so that colour and mark are not the only information. */
export function badge(state: string): Child {
  const { kind, mark, words } = stateMark(state)
  return html`<span class="state ${kind}"><span aria-hidden="true">${mark}</span>${words}</span>`
}

export function code(text: string | undefined): Child {
  return html`<code>${text}</code>`
}

export function link({ href, text }: PageLink): Child {
  return html`<a href="${href}">${text}</a>`
}

export function button({ href, text }: PageLink): Child {
  return html`<p><a class="button" href="${href}">${text}</a></p>`
}

export function empty(text: string): Child {
  return html`<p class="empty">${text}</p>`
}

/** An attribute; nothing if it has no value. */
export function attribute(name: string, value: string | undefined): Child {
  return value !== undefined && html` ${name}="${value}"`
}

/** Attributes of a button that sends a form; `name` and `value` are sent with the form. */
interface Submit {
  readonly class?: 'primary' | 'danger'
  readonly name?: string
  readonly value?: string
  readonly 'aria-label'?: string
}

/** The buttons that send a form, by their texts. */
export function actions(buttons: Readonly<Record<string, Submit>>): Child {
  return html`<div class="actions">
  ${Object.entries(buttons).map(([text, submit]) => {
    const attributes = Object.entries({ class: 'primary', ...submit, type: 'submit' })
    return html`<button${attributes.map(([name, value]) => attribute(name, value))}>${text}</button>`
  })}
</div>`
}

/** A list of facts. Facts without a value are left out; without any fact there is no list. */
export function factList(facts: readonly PageFact[]): Child {
  const items = facts.map(
    ([name, value]) => (value ?? null) !== null && html`<dt>${name}</dt><dd>${value}</dd>`,
  )
  return items.some(Boolean) && html`<dl class="facts">${items}</dl>`
}

interface Section {
  readonly title: string
  readonly beside: Child
  /** Names the section by its title. */
  readonly id?: string
  readonly look?: 'card' | 'card docs'
}

export function section({ title, beside, id, look = 'card' }: Section, content: Child): Child {
  return html`<section class="${look}"${attribute('aria-labelledby', id)}>
    <header><h2${attribute('id', id)}>${title}</h2><p>${beside}</p></header>
    ${content}
  </section>`
}

/** A titled list; `none` is the text of an empty list. */
export function listing(
  title: string,
  none: string,
  items: readonly Child[],
  isOrdered = false,
): Child {
  const list = isOrdered
    ? html`<ol class="rows">${items}</ol>`
    : html`<ul class="rows">${items}</ul>`
  return section({ title, beside: items.length }, items.length === 0 ? empty(none) : list)
}

interface ListItem {
  /** Null if the record has no page. */
  readonly href: string | null
  readonly text: string
  readonly sub?: Child
  readonly aside?: Child
  /** The fragment of the URL that leads to the item: `#id`. */
  readonly id?: string
  /** The state, shown before the link. */
  readonly state?: string
}

export function row({ href, text, sub, aside, id, state }: ListItem): Child {
  return html`<li${attribute('id', id)}>
  ${state !== undefined && badge(state)}
  <div class="grow">
    ${href === null ? html`<p class="what">${text}</p>` : html`<a class="what" href="${href}" dir="auto">${text}</a>`}
    ${sub && html`<p class="sub">${sub}</p>`}
  </div>
  ${aside && html`<div class="aside">${aside}</div>`}
</li>`
}
