import type { LogCase } from '../../case.js'
import { cases as android } from './android.js'
import { cases as apple } from './apple.js'
import { cases as browsers } from './browsers.js'
import { cases as compilerProjects } from './compiler-projects.js'
import { cases as compilers } from './compilers.js'
import { cases as containers } from './containers.js'
import { cases as dotnet } from './dotnet.js'
import { cases as git } from './git.js'
import { cases as go } from './go.js'
import { cases as gradle } from './gradle.js'
import { cases as infrastructure } from './infrastructure.js'
import { cases as javascriptBuilds } from './javascript-builds.js'
import { cases as javascriptTests } from './javascript-tests.js'
import { cases as jvm } from './jvm.js'
import { cases as languages } from './languages.js'
import { cases as linters } from './linters.js'
import { cases as loggers } from './loggers.js'
import { cases as machine } from './machine.js'
import { cases as nativeTests } from './native-tests.js'
import { cases as packages } from './packages.js'
import { cases as pytest } from './pytest.js'
import { cases as python } from './python.js'
import { cases as rubyPhp } from './ruby-php.js'
import { cases as rust } from './rust.js'
import { cases as shell } from './shell.js'

export type { LogCase } from '../../case.js'

export const cases: LogCase[] = [
  compilers,
  compilerProjects,
  rust,
  jvm,
  gradle,
  dotnet,
  go,
  python,
  pytest,
  javascriptTests,
  javascriptBuilds,
  browsers,
  rubyPhp,
  nativeTests,
  apple,
  android,
  linters,
  containers,
  infrastructure,
  packages,
  git,
  machine,
  shell,
  languages,
  loggers,
].flat()
