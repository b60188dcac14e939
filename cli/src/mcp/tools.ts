import { readTools } from './read-tools.js'
import type { Tool } from './tool.js'
import { writeTools } from './write-tools.js'

/** All tools, in the order in which a client lists them. */
export const tools: readonly Tool[] = [...readTools, ...writeTools]
