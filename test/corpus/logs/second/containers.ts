import type { LogCase } from '../../case.js'
import {
  block,
  composeDown,
  cyan,
  ESC,
  job,
  random,
  red,
  repeat,
  stamped,
  terminal,
  text,
} from './filler.js'

export const cases: LogCase[] = [
  {
    name: 'docker-classic-apt-version',
    tool: 'docker build (classic)',
    exit_status: 100,
    wanted: "E: Version '8.10' for 'libvips-dev' was not found",
    log: () => {
      const r = random(191)
      return job(
        'DOCKER_BUILDKIT=0 docker build .',
        100,
        text(
          'Sending build context to Docker daemon  41.47MB\r\r',
          'Step 1/14 : FROM debian:12',
          ` ---> ${r.hex(12)}`,
          'Step 2/14 : RUN apt-get update && apt-get install -y libvips-dev=8.10 liberror-perl',
          ` ---> Running in ${r.hex(12)}`,
          repeat(
            24,
            (i) =>
              `Get:${i + 1} http://mirror.example.org/debian bookworm/main amd64 ${r.word()} ` +
              `[${r.int(10, 900)} kB]`,
          ),
          'Reading package lists...',
          'Building dependency tree...',
          `${ESC}[91mE: Version '8.10' for 'libvips-dev' was not found`,
          `${ESC}[0mThe command '/bin/sh -c apt-get update && apt-get install -y ` +
            `libvips-dev=8.10 liberror-perl' returned a non-zero code: 100`,
        ),
      )
    },
  },
  {
    name: 'buildkit-type-error',
    tool: 'docker build (buildkit)',
    exit_status: 1,
    wanted: "src/pages/error.tsx(9,24): error TS2307: Cannot find module '@shop/tariff'",
    log: () => {
      const r = random(192)
      const line =
        "src/pages/error.tsx(9,24): error TS2307: Cannot find module '@shop/tariff' or its " +
        'corresponding type declarations.'
      return job(
        'docker build --progress=plain .',
        1,
        text(
          '#1 [internal] load build definition from Dockerfile',
          '#1 DONE 0.0s',
          repeat(
            30,
            () =>
              `#9 ${r.int(1, 9)}.${r.int(100, 999)} npm warn deprecated ` +
              `${r.word()}-errors@1.${r.int(0, 9)}.0: no longer supported`,
          ),
          '#9 DONE 14.2s',
          '',
          '#14 [build 6/9] RUN pnpm build',
          '#14 0.811 > tsc -b && vite build',
          `#14 9.204 ${line}`,
          '#14 9.310  ELIFECYCLE  Command failed with exit code 2.',
          '#14 ERROR: process "/bin/sh -c pnpm build" did not complete successfully: exit code: 2',
          '',
          '#15 [docs 3/4] RUN make docs',
          '#15 CANCELED',
          block(`
            ------
             > [build 6/9] RUN pnpm build:
            0.811 > tsc -b && vite build
            9.204 ${line}
            9.310  ELIFECYCLE  Command failed with exit code 2.
            ------
            Dockerfile:21
            --------------------
              19 |     COPY . .
              20 |     # stop on the first error
              21 | >>> RUN pnpm build
              22 |     RUN pnpm prune --prod
            --------------------
            ERROR: failed to solve: process "/bin/sh -c pnpm build" did not complete \\
            successfully: exit code: 2
          `),
        ),
      )
    },
  },
  {
    name: 'buildkit-test-early-in-parallel-stages',
    tool: 'docker build (parallel stages)',
    exit_status: 1,
    wanted: 'rates_test.go:31: Convert(100, "CHF") = 0, want 104',
    log: () => {
      const r = random(193)
      const more = (count: number) =>
        repeat(
          count,
          () =>
            `#12 ${r.int(20, 60)}.${r.int(100, 999)} ok  ` +
            `\texample.com/shop/${r.word()}/errors\t0.0${r.int(10, 99)}s`,
        )
      return stamped(
        job(
          'docker buildx build --progress=plain --target test .',
          1,
          text(
            '#12 [test 2/2] RUN go test ./...',
            more(20),
            '#12 41.204 --- FAIL: TestConvert (0.00s)',
            '#12 41.204     rates_test.go:31: Convert(100, "CHF") = 0, want 104',
            '#12 41.205 FAIL',
            '#12 41.205 FAIL\texample.com/shop/rates\t0.012s',
            more(66),
            '#12 60.102 FAIL',
            '#12 ERROR: process "/bin/sh -c go test ./..." did not complete successfully: exit ' +
              'code: 1',
            '------',
            ' > [test 2/2] RUN go test ./...:',
            more(8).map((row) => row.slice(4)),
            '60.102 FAIL',
            '------',
            'ERROR: failed to solve: process "/bin/sh -c go test ./..." did not complete ' +
              'successfully: exit code: 1',
          ),
        ),
        194,
        'agent',
      )
    },
  },
  {
    name: 'registry-pull-denied',
    tool: 'docker pull (authentication)',
    exit_status: 1,
    wanted: 'Error response from daemon: pull access denied for registry.example.com/shop/base',
    log: () => {
      const r = random(195)
      const layers = repeat(8, () => r.hex(12))
      return terminal(
        job(
          './scripts/pull-images',
          1,
          text(
            '24.04: Pulling from shop/runner',
            repeat(
              40,
              (i) =>
                `\r${ESC}[1A${ESC}[2K${layers[i % 8]}: Downloading ` +
                `[${'='.repeat(i)}>${' '.repeat(40 - i)}]  ${i}.1MB/41.4MB`,
            ),
            layers.map((layer) => `${layer}: Pull complete`),
            'Status: Downloaded newer image for registry.example.com/shop/runner:24.04',
            'Error response from daemon: pull access denied for registry.example.com/shop/base, ' +
              "repository does not exist or may require 'docker login': denied: requested access " +
              'to the resource is denied',
          ),
        ),
      )
    },
  },
  {
    name: 'compose-database-cause-before-symptoms',
    tool: 'docker compose',
    exit_status: 1,
    wanted: 'FATAL:  database files are incompatible with server',
    log: () => {
      const r = random(196)
      return job(
        'docker compose up --exit-code-from api',
        1,
        text(
          ['db', 'api', 'mail'].map((name) => ` Container shop-${name}-1  Created`),
          'Attaching to api-1, db-1, mail-1',
          `${cyan('db-1    | ')}`,
          `${cyan('db-1    | ')}PostgreSQL Database directory appears to contain a database; ` +
            'Skipping initialization',
          `${cyan('db-1    | ')}2026-03-04 09:12:07.114 UTC [1] FATAL:  database files are ` +
            'incompatible with server',
          `${cyan('db-1    | ')}2026-03-04 09:12:07.114 UTC [1] DETAIL:  The data directory ` +
            'was initialized by PostgreSQL version 14, which is not compatible with this ' +
            'version 16.2.',
          `${cyan('db-1    | ')}`,
          `${ESC}[Kdb-1 exited with code 1`,
          repeat(
            90,
            (i) =>
              `${ESC}[33mapi-1   | ${ESC}[0m${i % 3 === 0 ? `error: connect ECONNREFUSED db:5432 (attempt ${i / 3 + 1} of 30)` : `waiting ${r.int(1, 5)} s before the next attempt`}`,
          ),
          `${ESC}[33mapi-1   | ${ESC}[0m${red('Error: the database did not answer in time')}`,
          `${ESC}[Kapi-1 exited with code 1`,
          'Aborting on container exit...',
          composeDown(['api', 'mail', 'db']),
        ),
      )
    },
  },
  {
    name: 'dockerfile-copy-missing',
    tool: 'docker build (COPY)',
    exit_status: 1,
    wanted: '"/dist": not found',
    log: () =>
      job(
        'docker build .',
        1,
        text(
          block(`
            #7 [4/6] COPY dist /app
            #7 ERROR: failed to calculate checksum of ref 41a9::x2: "/dist": not found
            ------
             > [4/6] COPY dist /app:
            ------
            Dockerfile:9
            --------------------
               7 |     COPY package.json error.html ./
               8 |     RUN npm ci --omit=dev
               9 | >>> COPY dist /app
              10 |     CMD ["node", "server.js"]
            --------------------
            ERROR: failed to solve: failed to compute cache key: failed to calculate checksum of \\
            ref 41a9::x2: "/dist": not found
          `),
        ),
      ),
  },
  {
    name: 'kubernetes-image-missing-before-diagnosis',
    tool: 'kubectl rollout',
    exit_status: 1,
    wanted:
      'Failed to pull image "registry.example.com/shop/api:2.4.1": rpc error: code = NotFound',
    log: () => {
      const r = random(197)
      return job(
        './scripts/rollout',
        1,
        text(
          'deployment.apps/shop-api configured',
          repeat(
            40,
            () =>
              'Waiting for deployment "shop-api" rollout to finish: 1 out of 3 new replicas have ' +
              'been updated...',
          ),
          'error: deployment "shop-api" exceeded its progress deadline',
          '+ kubectl describe pods -l app=shop-api',
          'Events:',
          '  Type     Reason     Age    From               Message',
          '  Normal   Scheduled  10m    default-scheduler  Successfully assigned ' +
            'shop/shop-api-7d4 to node-3',
          '  Warning  Failed     9m     kubelet            Failed to pull image ' +
            '"registry.example.com/shop/api:2.4.1": rpc error: code = NotFound desc = failed to ' +
            'resolve reference: not found',
          '  Warning  Failed     9m     kubelet            Error: ErrImagePull',
          '  Warning  Failed     4m     kubelet            Error: ImagePullBackOff',
          '+ kubectl logs -l app=shop-api --previous --tail 80',
          repeat(80, () => `{"level":"info","msg":"served ${r.word()}","errors":0,"failed":false}`),
          '+ kubectl rollout undo deployment/shop-api',
          'deployment.apps/shop-api rolled back',
        ),
      )
    },
  },
  {
    name: 'helm-unknown-field',
    tool: 'helm',
    exit_status: 1,
    wanted:
      'ValidationError(Deployment.spec): unknown field "replica" in ' +
      'io.k8s.api.apps.v1.DeploymentSpec',
    log: () =>
      job(
        'helm upgrade --install shop ./chart --atomic --debug',
        1,
        text(
          repeat(
            20,
            (i) => `client.go:${131 + i}: [debug] creating ${i + 1} resource(s), no error so far`,
          ),
          'Error: UPGRADE FAILED: error validating "": error validating data: ' +
            'ValidationError(Deployment.spec): unknown field "replica" in ' +
            'io.k8s.api.apps.v1.DeploymentSpec',
          'helm.go:84: [debug] error validating "": error validating data',
          'main.main',
          '\thelm.example.org/helm/v3/cmd/helm/helm.go:83',
          'runtime.main',
          '\truntime/proc.go:267',
        ),
      ),
  },
]
