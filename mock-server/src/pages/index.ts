import { Hono } from 'hono'
import { asset } from '../base/asset.js'
import { icon, notFound } from './answer.js'
import { artifactContent } from './attachments.js'
import { authorizedApplications, revokeApplication } from './authorized-applications.js'
import { build, job } from './build.js'
import { builds } from './builds.js'
import { decideDevice, devicePage } from './device.js'
import { authentication, docs } from './docs.js'
import { avatar, pipelineBadge } from './images.js'
import { logIn, loginPage, logOut } from './login.js'
import { agent, home, organization, suite, test } from './organizations.js'
import { type AppEnvironment, getPath } from './page-context.js'

function assetHeaders(type: string) {
  return {
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': 'public, max-age=300',
    'X-Content-Type-Options': 'nosniff',
  }
}

/** All pages below the web URL. The path has no prefix of the sandbox. */
export function createPages(): Hono<AppEnvironment> {
  const pages = new Hono<AppEnvironment>({ strict: true, getPath })
  pages.get('/', home)
  pages.get('/docs', docs)
  pages.get('/docs/authentication', authentication)
  pages.get('/docs/style.css', (c) =>
    c.body(asset('pages/style.css'), 200, assetHeaders('text/css')),
  )
  pages.get('/docs/icon.svg', (c) => c.body(icon(), 200, assetHeaders('image/svg+xml')))
  pages.get('/avatars/:file{.+\\.svg}', avatar)
  pages.get('/badges/:file{.+\\.svg}', pipelineBadge)
  pages.get('/oauth/login', loginPage)
  pages.post('/oauth/login', logIn)
  pages.post('/oauth/logout', logOut)
  pages.get('/oauth/device', devicePage)
  pages.post('/oauth/device', decideDevice)
  pages.get('/oauth/device/:code', devicePage)
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
