/** @jsxImportSource hono/jsx */
import { sheet } from './answer.js'
import type { PageRequest } from './page-context.js'

/** `/docs/authentication`: where the text of every 401 sends its reader. */
export function authentication(c: PageRequest): Response {
  const { urls, settings } = c.env.sandbox
  return sheet(
    c,
    { title: 'Authentication', current: 'docs', docs: true },
    <>
      <p>Every API request carries one access token, in one header and nowhere else:</p>
      <pre tabindex={0}>Authorization: Bearer &lt;access token&gt;</pre>
      <h2>Where a token comes from</h2>
      <p>
        <strong>On this server:</strong> from the seed. The ready line that the server prints holds the values, and{' '}
        <code>ci-mock-server --access-token VALUE</code> sets the one named <code>admin</code>.
      </p>
      <p>
        <strong>A person on a device:</strong> the device authorization grant (RFC 8628) at{' '}
        <code>{urls.authUrl}/oauth/device_authorization</code>, approved on{' '}
        <a href={`${urls.webUrl}/oauth/device`}>this page</a>.
      </p>
      <p>
        <strong>An application that acts for a user:</strong> token exchange (RFC 8693) at{' '}
        <code>{urls.authUrl}/oauth/token</code> with a signed assertion; the subject token type is{' '}
        <code>urn:{settings.vendor}:params:oauth:token-type:user-email</code>.
      </p>
      <h2>What a 401 means</h2>
      <p>
        The token is missing, unknown, expired or revoked. Which of them is not told; the <code>WWW-Authenticate</code>{' '}
        header says <code>invalid_token</code> when one was sent. A token without the scope that an operation needs gets
        403, and the header names the scope.
      </p>
    </>,
  )
}
