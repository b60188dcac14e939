import type { LogCase } from '../../case.js'
import { lines, many, name, red, time, varied } from '../../filler.js'

export const infrastructure: readonly LogCase[] = [
  {
    name: 'terraform-apply',
    tool: 'terraform',
    exit_status: 1,
    wanted: 'Error: creating S3 Bucket (shop-invoices): BucketAlreadyExists',
    log: () =>
      lines(
        many(60, (at) => `aws_lb.${name(at)}: Refreshing state... [id=lb-${at}]`),
        '╷',
        `│ ${red('Error: ')}creating S3 Bucket (shop-invoices): BucketAlreadyExists`,
        '│ ',
        '│   with aws_s3_bucket.invoices,',
        '│   on storage.tf line 12, in resource "aws_s3_bucket" "invoices":',
        '│   12: resource "aws_s3_bucket" "invoices" {',
        '╵',
        many(70, (at) => `Releasing state lock of ${name(at)}. This may take a few moments...`),
      ),
  },
  {
    name: 'terraform-plan-in-one-line',
    tool: 'a plan in one JSON line',
    exit_status: 1,
    wanted: '"severity":"error","summary":"Unsupported argument"',
    log: () => {
      const resource = (at: number) =>
        `{"address":"aws_lb.${name(at)}","change":{"actions":["no-op"],"before":{"error_log":false}}}`
      const diagnostics = `"diagnostics":[{"severity":"error","summary":"Unsupported argument"}]`
      return `{"resources":[${many(900, resource).join(',')}],${diagnostics},"rest":[${many(2_000, resource).join(',')}]}\n`
    },
  },
  {
    name: 'ansible',
    tool: 'ansible',
    exit_status: 2,
    wanted: "No package matching 'shop-agnet' is available",
    log: () =>
      lines(
        many(30, (at) =>
          [`TASK [base : Fail early on errors ${at}] ****`, `ok: [web${at % 4}]`].join('\n'),
        ),
        'TASK [shop : Install the agent] ****',
        `fatal: [web2]: FAILED! => {"changed": false, "msg": "No package matching 'shop-agnet' is available"}`,
        many(50, (at) =>
          [`TASK [cleanup : Remove ${name(at)}] ****`, `changed: [web${at % 4}]`].join('\n'),
        ),
        'PLAY RECAP ****',
        'web2 : ok=31 changed=2 unreachable=0 failed=1 skipped=4 rescued=0 ignored=0',
        many(
          3,
          (at) =>
            `web${at + 3} : ok=81 changed=52 unreachable=0 failed=0 skipped=4 rescued=0 ignored=0`,
        ),
      ),
  },
  {
    name: 'docker-build',
    tool: 'docker buildx',
    exit_status: 1,
    wanted: 'npm error 404 Not Found - GET https://packages.example/@shop%2ftax',
    log: () =>
      lines(
        many(50, (at) => `#${at + 1} [internal] load ${name(at)} 0.${at}s done`),
        '#52 [build 4/9] RUN npm ci',
        '#52 3.114 npm error code E404',
        '#52 3.115 npm error 404 Not Found - GET https://packages.example/@shop%2ftax - Not found',
        '#52 3.115 npm error 404',
        '#52 3.117 npm error A complete log of this run can be found in: /root/.npm/_logs/0.log',
        '#52 ERROR: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1',
        many(70, (at) => `#${at + 53} [stage-${at} 2/3] COPY ${name(at)} CANCELED`),
        '------',
        ' > [build 4/9] RUN npm ci:',
        '------',
        'ERROR: failed to solve: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1',
      ),
  },
  {
    name: 'helm-upgrade',
    tool: 'helm',
    exit_status: 1,
    wanted: 'Error: UPGRADE FAILED: context deadline exceeded',
    log: () =>
      lines(
        many(
          30,
          (at) =>
            `client.go:${at + 100}: [debug] Patch Deployment "${name(at)}-error-pages" in namespace shop`,
        ),
        'Error: UPGRADE FAILED: context deadline exceeded',
        many(80, (at) => `pod/${name(at)}-7d9f ${at}/1 Terminating`),
      ),
  },
  {
    name: 'kubernetes-rollout',
    tool: 'kubectl',
    exit_status: 1,
    wanted: 'Failed to pull image "registry.example/shop:9f3c"',
    log: () =>
      lines(
        many(
          40,
          (at) =>
            `Waiting for deployment "shop" rollout to finish: ${at % 3} of 3 updated replicas are available...`,
        ),
        'Events:',
        '  Warning  Failed     2m   kubelet  Failed to pull image "registry.example/shop:9f3c": manifest unknown',
        '  Normal   BackOff    1m   kubelet  Back-off pulling image',
        'error: deployment "shop" exceeded its progress deadline',
        many(62, (at) => `deployment.apps/${name(at)} rolled back`),
      ),
  },
  {
    name: 'compose-service-dies',
    tool: 'docker compose',
    exit_status: 1,
    wanted: 'FATAL:  password authentication failed for user "shop"',
    log: () =>
      lines(
        many(60, (at) => `web-1   | GET /errors/${at} 200`),
        'db-1    | 2026-03-01 09:00:01.100 UTC [33] FATAL:  password authentication failed for user "shop"',
        many(80, (at) => `web-1   | waiting for the database, try ${at}`),
        'web-1 exited with code 1',
        'Aborting on container exit...',
      ),
  },
  {
    name: 'postgres-migration',
    tool: 'psql',
    exit_status: 3,
    wanted: 'ERROR:  column "vat_id" of relation "customers" already exists',
    log: () =>
      lines(
        many(90, (at) => `ALTER TABLE ${name(at)}_errors`),
        'psql:db/0091_vat.sql:4: ERROR:  column "vat_id" of relation "customers" already exists',
        many(64, (at) => `dropping schema test_${at}`),
      ),
  },
  {
    name: 'git-checkout',
    tool: 'git',
    exit_status: 128,
    wanted: "fatal: couldn't find remote ref refs/heads/feature/vat",
    log: () =>
      lines(
        '~~~ Preparing working directory',
        '$ git fetch -v --prune -- origin refs/heads/feature/vat',
        "fatal: couldn't find remote ref refs/heads/feature/vat",
        '~~~ Running agent pre-exit hook',
        many(70, (at) => `removing ${name(at)} of the cache`),
      ),
  },
  {
    name: 'git-merge-conflict',
    tool: 'git merge',
    exit_status: 1,
    wanted: 'CONFLICT (content): Merge conflict in src/price.ts',
    log: () =>
      lines(
        many(80, (at) => `Auto-merging src/errors/${name(at)}.ts`),
        'CONFLICT (content): Merge conflict in src/price.ts',
        many(64, (at) => `Auto-merging test/${name(at)}.ts`),
        'Automatic merge failed; fix conflicts and then commit the result.',
      ),
  },
  {
    name: 'apt-get',
    tool: 'apt-get',
    exit_status: 100,
    wanted: 'E: Unable to locate package libshop-dev',
    log: () =>
      lines(
        many(
          70,
          (at) =>
            `Get:${at + 1} http://mirror.example stable/main amd64 lib${name(at)}-error-perl all ${at}.0 [${varied(at, 90)} kB]`,
        ),
        'Reading package lists...',
        'E: Unable to locate package libshop-dev',
      ),
  },
  {
    name: 'pip-conflict',
    tool: 'pip',
    exit_status: 1,
    wanted: 'ERROR: No matching distribution found for shop-tax==4.1',
    log: () =>
      lines(
        many(90, (at) => `Collecting ${name(at)}-errors==1.${at}`),
        'ERROR: Could not find a version that satisfies the requirement shop-tax==4.1 (from versions: 3.9, 4.0)',
        'ERROR: No matching distribution found for shop-tax==4.1',
        many(66, (at) => `WARNING: cache entry ${name(at)} deserialization failed, entry ignored`),
      ),
  },
  {
    name: 'bundler',
    tool: 'bundler',
    exit_status: 7,
    wanted: "Could not find gem 'shop_tax (~> 4.0)' in rubygems repository",
    log: () =>
      lines(
        many(70, (at) => `Using better_errors_${name(at)} 1.${at}.0`),
        "Could not find gem 'shop_tax (~> 4.0)' in rubygems repository https://gems.example/ or installed locally.",
        many(62, (at) => `The source contains the following gems: shop_${name(at)} ${at}.0`),
      ),
  },
  {
    name: 'composer',
    tool: 'composer',
    exit_status: 2,
    wanted:
      'shop/tax 4.0.0 requires php ^8.3 -> your php version (8.1.2) does not satisfy that requirement',
    log: () =>
      lines(
        many(70, (at) => `  - Downloading acme/error-${name(at)} (${at}.0.0)`),
        'Your requirements could not be resolved to an installable set of packages.',
        '',
        '  Problem 1',
        '    - shop/tax 4.0.0 requires php ^8.3 -> your php version (8.1.2) does not satisfy that requirement.',
        many(60, (at) => `  suggests installing acme/${name(at)} for ${at} features`),
      ),
  },
  {
    name: 'curl-of-a-dead-host',
    tool: 'curl',
    exit_status: 6,
    wanted: 'curl: (6) Could not resolve host: artifacts.shop.example',
    log: () =>
      lines(
        many(30, (at) => `+ export ERROR_LIMIT_${at}=${at}`),
        'curl: (6) Could not resolve host: artifacts.shop.example',
        many(80, (at) => `+ rm -rf /tmp/${name(at)}`),
      ),
  },
  {
    name: 'command-not-found',
    tool: 'a shell script',
    exit_status: 127,
    wanted: './ci/release.sh: line 14: jq: command not found',
    log: () =>
      lines(
        many(40, (at) => `+ mkdir -p out/${name(at)}`),
        './ci/release.sh: line 14: jq: command not found',
        many(90, (at) => `+ docker rm -f ${name(at)}`),
        '🚨 Error: The command exited with status 127',
      ),
  },
  {
    name: 'killed-by-the-kernel',
    tool: 'out of memory',
    exit_status: 137,
    wanted: './ci/index.sh: line 9:  4711 Killed                  node index-errors.js',
    log: () =>
      lines(
        many(150, (at) => `indexed ${at * 1_000} errors of ${name(at)}`),
        './ci/index.sh: line 9:  4711 Killed                  node index-errors.js',
        many(65, (at) => `uploading ${name(at)}.core`),
      ),
  },
  {
    name: 'disk-full',
    tool: 'no space left',
    exit_status: 1,
    wanted: 'write /srv/out/layer.tar: no space left on device',
    log: () =>
      lines(
        many(90, (at) => `packing ${name(at)}`),
        'write /srv/out/layer.tar: no space left on device',
        many(90, (at) => `cleanup: kept ${name(at)}, 0 errors`),
      ),
  },
  {
    name: 'time-stamps-and-a-timeout',
    tool: 'an end-to-end script',
    exit_status: 1,
    wanted: 'timed out after 120s waiting for http://shop:8080/health',
    log: () =>
      lines(
        many(120, (at) => `${time(at)} INFO  probe ${at}: not ready, retry on error in 1s`),
        `${time(121)} timed out after 120s waiting for http://shop:8080/health`,
        many(70, (at) => `${time(at + 130)} INFO  dumping logs of ${name(at)}`),
      ),
  },
]
