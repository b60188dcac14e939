import type { CodeLocation } from './failure-summary.js'
import { SYMPTOM } from './loud-words.js'
import type { ReadLog } from './read-log.js'

const EXTENSIONS =
  'astro|bats|bzl|c|cc|clj|cljs|cpp|cs|css|cts|cxx|dart|elm|erl|ex|exs|feature|fs|go|gradle|graphql|groovy|h|hcl|hpp|hs|html|java|jl|js|json|jsx|kt|kts|lua|m|md|mjs|cjs|ml|mm|mts|nim|nix|php|pl|pm|proto|py|pyx|r|rb|rs|sass|scala|scss|sh|sol|sql|svelte|swift|tf|toml|ts|tsx|vue|xml|yaml|yml|zig'
/** A path of a source file. It begins where no longer word or address does, and only there. */
const FILE = `(?<![\\w@./\\\\+:-])(?:file:\\/\\/)?((?:[A-Za-z]:(?=[\\\\/]))?[\\w@./\\\\+-]{0,200}(?:\\.(?:${EXTENSIONS})|\\b(?:Makefile|Dockerfile|Rakefile|Gemfile)))`
/** How tools write a file with its line: `a.ts:1:2`, `a.ts(1,2)`, `File "a.py", line 1`. */
const FORMS = [
  `${FILE}:(\\d{1,7})(?::(\\d{1,5}))?(?![\\w.])`,
  `${FILE}\\((\\d{1,7})(?:,\\s?(\\d{1,5}))?\\)`,
  `${FILE}["']?,? ?(?:on )?line[ =](\\d{1,7})(?:,? col(?:umn)?[ =](\\d{1,5}))?`,
  `${FILE}:\\[(\\d{1,7}),(\\d{1,5})\\]`,
  // Bound: a line of at most 400 characters; a path begins only where no longer word does.
].map((form) => new RegExp(form, 'u'))
/** Files of libraries and tools, which are seldom the place of the fault. */
const FOREIGN =
  /(?:^|\/)(?:node_modules|site-packages|dist-packages|vendor|\.cargo|\.rustup|go\/pkg\/mod|gems)\/|^\/(?:usr|opt|lib)\//u
/** So many telling lines are read. */
const MOST_LINES = 8
/** A stack trace follows the telling line; some tools write the file above it. */
const BEHIND = 12
const BEFORE = 3

/** The place in the code that a log names in its telling lines, or close to them. */
export function locationIn({ lines, loud }: ReadLog): CodeLocation | null {
  const telling = loud.filter((index) => (lines[index]?.level ?? 0) >= SYMPTOM)
  for (const index of telling.slice(0, MOST_LINES)) {
    const behind = Array.from({ length: BEHIND + 1 }, (_, distance) => index + distance)
    const before = Array.from({ length: BEFORE }, (_, distance) => index - 1 - distance)
    for (const at of [...behind, ...before]) {
      const location = locationOf(lines[at]?.text ?? '')
      if (location !== null) return location
    }
  }
  return null
}

function locationOf(line: string): CodeLocation | null {
  for (const form of FORMS) {
    const [, file, number, column] = form.exec(line) ?? []
    if (file === undefined || FOREIGN.test(file.replaceAll('\\', '/'))) continue
    return {
      file: file.replace(/^\.\//u, ''),
      line: Number(number),
      column: column === undefined ? null : Number(column),
    }
  }
  return null
}
