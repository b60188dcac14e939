import type { PipelineSlug } from './pipelines.js'

/** Commit messages by pipeline, with the branch that such a change is made on; `main` carries the same ones merged. */
export const changes: Readonly<Record<PipelineSlug, readonly (readonly [branch: string, message: string])[]>> = {
  web: [
    ['feature/cart-totals', 'Show the total while the cart is edited 🛒'],
    ['feature/checkout/3d-secure', 'Ask for 3-D Secure only when the bank does'],
    ['fix/search-debounce', 'Debounce the search box, not the request'],
    ['fix/rtl-cart', 'יישור מימין לשמאל בעגלת הקניות'],
    ['perf/lazy-images', '⚡ Load images below the fold lazily'],
    ['chore/pnpm-lockfile', 'Refresh the lock file'],
    ['feature/dark-mode', 'Dark mode: colours from tokens 🌙'],
    ['fix/focus-trap', 'Keep keyboard focus inside the dialog ♿'],
  ],
  api: [
    ['fix/idempotency-keys', 'Keep idempotency keys for a day'],
    ['feature/webhook-retries', 'Retry webhooks with growing pauses 🔁'],
    ['fix/money-rounding', 'Round half to even, as the ledger does'],
    ['feature/orders-export', 'Stream the orders export'],
    ['perf/index-orders', 'Index orders by customer and day'],
    ['chore/clippy-pedantic', 'Heed Clippy 🦀'],
  ],
  mobile: [
    ['release/3.4', 'Prepare 3.4'],
    ['feature/passkeys', 'Sign in with a passkey 🔑'],
    ['fix/offline-cart', 'Keep the cart while offline'],
    ['fix/وضع-داكن', 'إصلاح الألوان في الوضع الداكن'],
  ],
  infra: [['main', 'Give the database a larger disk 💾']],
  docs: [
    ['patch-1', 'Fix a typo in the quick start'],
    ['explain-webhooks', 'Explain how webhooks are signed'],
    ['docs/api-errors', 'List every error of the orders API'],
    ['add-japanese', '日本語のクイックスタートを追加'],
  ],
  nightly: [['main', 'Nightly end-to-end run 🌃']],
}

const body =
  'Move price rules into their own module. Until now a discount was worked out in the cart, in the checkout and once ' +
  'more on the receipt, each with its own idea of rounding, so that a customer could see three different totals for one ' +
  'order. From here on there is one function, it works in minor units, and everything that shows a price asks it.'

/** A message of exactly 300 characters, as some people write them. */
export const longMessage = body.slice(0, 300).padEnd(300, '.')
