const words: Readonly<Record<string, string>> = {
  read_builds: 'See builds and their jobs',
  write_builds: 'Start, cancel, rebuild and retry builds, unblock jobs, annotate',
  read_build_logs: 'Read job logs',
  read_artifacts: 'Read the files that jobs left behind',
  read_suites: 'See test records',
  write_suites: 'Change the labels of test records',
  read_pipelines: 'See pipelines',
  write_pipelines: 'See pipeline webhook addresses',
  read_user: 'See your name and e-mail address',
  read_organizations: 'See your organizations',
  graphql: 'Use the GraphQL API: see builds; with write_builds, also cancel and rebuild them',
}

/** What a scope permits, in words for the person who decides. */
export function scopeInWords(scope: string): string {
  return words[scope] ?? 'A permission that only this service knows'
}
