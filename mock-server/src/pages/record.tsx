/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx'

export interface Crumb {
  readonly href: string
  readonly text: string
}
export interface Fact {
  readonly name: string
  readonly value: Child
}
export interface RecordLink {
  readonly href: string
  readonly text: string
  readonly sub?: string | undefined
  readonly aside?: Child
}

export const Crumbs = ({ crumbs }: { readonly crumbs: readonly Crumb[] }) => (
  <nav aria-label="Breadcrumb">
    <ol class="crumbs">
      {crumbs.map(({ href, text }) => (
        <li>
          <a href={href}>{text}</a>
        </li>
      ))}
    </ol>
  </nav>
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

/** A titled list of links; says so when it is empty. */
export const Links = ({
  title,
  none,
  links,
}: {
  readonly title: string
  readonly none: string
  readonly links: readonly RecordLink[]
}) => (
  <section class="card">
    <header>
      <h2>{title}</h2>
      <p>{links.length}</p>
    </header>
    {links.length === 0 ? (
      <p class="empty">{none}</p>
    ) : (
      <ul class="rows">
        {links.map(({ href, text, sub, aside }) => (
          <li>
            <div class="grow">
              <a class="what" href={href}>
                {text}
              </a>
              {sub ? <p class="sub">{sub}</p> : null}
            </div>
            {aside ? <div class="aside">{aside}</div> : null}
          </li>
        ))}
      </ul>
    )}
  </section>
)

/** One record of the API for a person to read: title, facts, links. */
export function RecordView({
  crumbs,
  title,
  lead,
  facts,
  children,
}: {
  readonly crumbs: readonly Crumb[]
  readonly title: string
  readonly lead?: string | undefined
  readonly facts: readonly Fact[]
  readonly children?: Child
}) {
  return (
    <>
      <div class="head">
        <Crumbs crumbs={crumbs} />
        <h1>{title}</h1>
        {lead ? <p class="lead">{lead}</p> : null}
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
