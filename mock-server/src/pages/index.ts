import { Hono } from 'hono'
import { asset } from '../base/asset.js'
import { once } from '../base/once.js'
import { notFound } from './answer.js'
import { artifactContent } from './artifact-content.js'
import { authorizedApplications, revokeApplication } from './authorized-applications.js'
import { build } from './build.js'
import { builds, pipelineBadge } from './builds.js'
import { decideDevice, devicePage } from './device.js'
import { authentication, docs } from './docs.js'
import { createGuesses, type Guesses } from './guesses.js'
import { home } from './home.js'
import { avatar } from './images.js'
import { job } from './job.js'
import { icon } from './layout.js'
import { logIn, loginPage, logOut } from './login.js'
import { agent, organization } from './organization.js'
import type { PageBindings, PageEnvironment } from './page-context.js'
import { suite, test } from './suite.js'

const assetHeaders = (type: string) => ({
  'Content-Type': `${type}; charset=utf-8`,
  'Cache-Control': 'public, max-age=300',
  'X-Content-Type-Options': 'nosniff',
})

const pathOf = (bindings: unknown): string => (bindings as PageBindings).path

/** All pages, below the web URL; the sandbox's prefix is already cut off. Guesses are counted per sandbox. */
export function createPages(): Hono<PageEnvironment> {
  const guessesOf = new WeakMap<object, Guesses>()
  const guesses = (sandbox: object): Guesses => once(guessesOf, sandbox, createGuesses)
  const pages = new Hono<PageEnvironment>({ strict: true, getPath: (_request, context) => pathOf(context?.env) })
  pages.get('/', home)
  pages.get('/docs', docs)
  pages.get('/docs/authentication', authentication)
  pages.get('/docs/style.css', (c) => c.body(asset('pages/style.css'), 200, assetHeaders('text/css')))
  pages.get('/docs/icon.svg', (c) => c.body(icon(), 200, assetHeaders('image/svg+xml')))
  pages.get('/avatars/:file{.+\\.svg}', avatar)
  pages.get('/badges/:file{.+\\.svg}', pipelineBadge)
  pages.get('/oauth/login', loginPage)
  pages.post('/oauth/login', logIn)
  pages.post('/oauth/logout', logOut)
  pages.get('/oauth/device', (c) => devicePage(c, guesses(c.env.sandbox)))
  pages.post('/oauth/device', decideDevice)
  pages.get('/oauth/device/:code', (c) => devicePage(c, guesses(c.env.sandbox), c.req.param('code')))
  pages.get('/oauth/authorized_applications', authorizedApplications)
  pages.post('/oauth/authorized_applications/:id/revoke', revokeApplication)
  pages.get('/artifacts/:id/content', artifactContent)
  pages.get('/organizations/:org/agents/:id', agent)
  pages.get('/organizations/:org/analytics/suites/:suite', suite)
  pages.get('/organizations/:org/analytics/suites/:suite/tests/:id', test)
  pages.get('/:org', organization)
  pages.get('/:org/:pipeline', builds)
  pages.get('/:org/:pipeline/builds/:number', build)
  pages.get('/:org/:pipeline/builds/:number/jobs/:id', job)
  pages.notFound((c) => notFound(c, 'page'))
  return pages
}
