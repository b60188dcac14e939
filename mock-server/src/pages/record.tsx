/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx'
import { State } from './state.js'

export interface Place {
  readonly href: string
  readonly text: string
}
export interface Fact {
  readonly name: Child
  readonly value: Child
}
interface RecordLink {
  /** Null: there is no page of it. */
  readonly href: string | null
  readonly text: string
  readonly sub?: Child
  readonly aside?: Child
  /** Names the row in the address: `#id`. */
  readonly id?: string
  /** How it stands, before the link. */
  readonly state?: string
}

export const Button = ({ href, text }: Place) => (
  <p>
    <a class="button" href={href}>
      {text}
    </a>
  </p>
)

interface Submit {
  readonly text: string
  readonly look?: 'primary' | 'danger'
  /** What the form says once this button was pressed. */
  readonly name?: string
  readonly value?: string
  readonly label?: string
}

/** The buttons that send a form. */
export const Actions = ({ buttons }: { readonly buttons: readonly Submit[] }) => (
  <div class="actions">
    {buttons.map(({ text, look = 'primary', label, ...answer }) => (
      <button class={look} type="submit" aria-label={label} {...answer}>
        {text}
      </button>
    ))}
  </div>
)

export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl class="facts">
    {facts.map(({ name, value }) => (
      <>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </>
    ))}
  </dl>
)

interface SectionProps {
  readonly title: string
  readonly beside: Child
  /** Names the section by its title. */
  readonly id?: string
  readonly docs?: boolean
  readonly children?: Child
}

export const Section = ({ title, beside, id, docs = false, children }: SectionProps) => (
  <section class={docs ? 'card docs' : 'card'} aria-labelledby={id}>
    <header>
      <h2 id={id}>{title}</h2>
      <p>{beside}</p>
    </header>
    {children}
  </section>
)

interface ListingProps {
  readonly title: string
  readonly none: string
  readonly items: readonly Child[]
  readonly as?: 'ol' | 'ul'
}

/** A titled list; says so when it is empty. */
export const Listing = ({ title, none, items, as: List = 'ul' }: ListingProps) => (
  <Section title={title} beside={items.length}>
    {items.length === 0 ? <p class="empty">{none}</p> : <List class="rows">{items}</List>}
  </Section>
)

export const LinkRow = ({ href, text, sub, aside, id, state }: RecordLink) => (
  <li id={id}>
    {state === undefined ? null : <State state={state} />}
    <div class="grow">
      {href === null ? (
        <p class="what">{text}</p>
      ) : (
        <a class="what" href={href} dir="auto">
          {text}
        </a>
      )}
      {sub ? <p class="sub">{sub}</p> : null}
    </div>
    {aside ? <div class="aside">{aside}</div> : null}
  </li>
)

export const Links = ({ links, ...list }: Omit<ListingProps, 'items'> & { readonly links: readonly RecordLink[] }) => (
  <Listing {...list} items={links.map(LinkRow)} />
)

export interface RecordProps {
  readonly title: string
  /** Where it lies, from the outside in. */
  readonly crumbs?: readonly Place[]
  /** How it stands, beside the title. */
  readonly badge?: Child
  readonly lead?: Child
  readonly facts?: readonly Fact[]
}

export function RecordView({
  title,
  crumbs = [],
  badge,
  lead,
  facts = [],
  children,
}: RecordProps & { readonly children?: Child }) {
  const heading = <h1>{title}</h1>
  return (
    <>
      <div class="head">
        {crumbs.length > 0 ? (
          <nav aria-label="Breadcrumb">
            <ol class="crumbs">
              {crumbs.map(({ href, text }) => (
                <li>
                  <a href={href}>{text}</a>
                </li>
              ))}
            </ol>
          </nav>
        ) : null}
        {badge ? (
          <div class="headline">
            {heading}
            {badge}
          </div>
        ) : (
          heading
        )}
        {lead ? (
          <p class="lead" dir="auto">
            {lead}
          </p>
        ) : null}
      </div>
      {facts.length > 0 ? (
        <section class="card" aria-label="Facts">
          <div class="body">
            <Facts facts={facts} />
          </div>
        </section>
      ) : null}
      {children}
    </>
  )
}
